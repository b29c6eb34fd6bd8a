#include <dpvi/data/shape.hpp>

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dpvi {

void check_shape(const DataVariable& variable, std::span<const std::size_t> found,
                 std::optional<std::size_t> records, const PublicData& data,
                 const SourcePlace& place) {
  std::vector<std::string> wanted;
  std::vector<std::optional<double>> extents;
  if (records) {
    extents.emplace_back(static_cast<double>(*records));
    wanted.push_back(fmt::format("{}", *records));
  }
  for (const DeclaredNumber& declared : variable.dimensions) {
    extents.push_back(value_of(declared, data));
    wanted.push_back(extents.back() ? fmt::format("{}", *extents.back()) : declared.text);
  }
  const auto agrees = [](const std::optional<double>& extent, std::size_t length) {
    return !extent || *extent == static_cast<double>(length);
  };
  // Stan writes a variable without elements as [], regardless of its rank.
  const bool none_wanted = std::find(extents.begin(), extents.end(), 0.0) != extents.end();
  const bool none_found = std::find(found.begin(), found.end(), 0) != found.end();
  if (none_wanted && none_found) return;
  if (std::equal(extents.begin(), extents.end(), found.begin(), found.end(), agrees)) return;
  throw InputError(
      kBadShape,
      fmt::format("'{}' is {}; the program declares {}, which is [{}] here.", variable.name,
                  shape_description(found), variable.type_description, fmt::join(wanted, ", ")),
      "Make the two agree.", place);
}

std::string shape_description(std::span<const std::size_t> extents) {
  if (extents.empty()) return "one number";
  if (extents.size() == 1) return fmt::format("a list of {}", extents[0]);
  return fmt::format("nested lists of {}", fmt::join(extents, " x "));
}

}  // namespace dpvi
