#include <dpvi/data/indexed_columns.hpp>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dpvi {
namespace {

// Parses the indices in "1.2" or "1,2]": exactly `rank` positive integers, separated by `separator`
// and followed by `end`.
std::optional<std::vector<std::size_t>> parse_indices(std::string_view text, std::size_t rank,
                                                      char separator, std::string_view end) {
  std::vector<std::size_t> indices;
  while (true) {
    std::size_t index = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), index);
    if (read.ec != std::errc() || index == 0 || text.front() == '0') return std::nullopt;
    indices.push_back(index);
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    if (indices.size() == rank) break;
    if (!text.starts_with(separator)) return std::nullopt;
    text.remove_prefix(1);
  }
  if (text != end) return std::nullopt;
  return indices;
}

std::optional<std::vector<std::size_t>> largest_indices(const std::string& name, std::size_t rank,
                                                        std::span<const std::string> header,
                                                        bool brackets) {
  const std::string prefix = name + (brackets ? '[' : '.');
  std::optional<std::vector<std::size_t>> largest;
  for (const std::string& column : header) {
    if (!column.starts_with(prefix)) continue;
    const auto indices = parse_indices(std::string_view(column).substr(prefix.size()), rank,
                                       brackets ? ',' : '.', brackets ? "]" : "");
    if (!indices) continue;
    if (!largest) largest.emplace(rank, 0);
    for (std::size_t i = 0; i < rank; ++i) (*largest)[i] = std::max((*largest)[i], (*indices)[i]);
  }
  return largest;
}

}  // namespace

std::vector<std::string> element_names(const std::string& name,
                                       std::span<const std::size_t> extents, bool brackets) {
  std::vector<std::string> names;
  if (std::find(extents.begin(), extents.end(), 0) != extents.end()) return names;
  std::vector<std::size_t> indices(extents.size(), 1);
  while (true) {
    names.push_back(brackets ? fmt::format("{}[{}]", name, fmt::join(indices, ","))
                             : fmt::format("{}.{}", name, fmt::join(indices, ".")));
    std::size_t place = extents.size();
    while (place > 0 && indices[place - 1] == extents[place - 1]) indices[--place] = 1;
    if (place == 0) return names;
    ++indices[place - 1];
  }
}

std::optional<IndexedColumns> find_indexed_columns(const std::string& name, std::size_t rank,
                                                   std::span<const std::string> header) {
  for (const bool brackets : {false, true}) {
    const auto extents = largest_indices(name, rank, header, brackets);
    if (!extents) continue;
    // Limits the number of generated names: an absurd index (x.999999999) yields at most about
    // twice as many names as the header has.
    std::vector<std::size_t> bounded = *extents;
    std::size_t elements = 1;
    for (std::size_t& extent : bounded) {
      extent = std::min(extent, header.size() / elements + 1);
      elements *= extent;
    }
    return IndexedColumns{*extents, element_names(name, bounded, brackets)};
  }
  return std::nullopt;
}

}  // namespace dpvi
