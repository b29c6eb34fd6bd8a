#include <dpvi/data/public_data.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dpvi {
namespace {

bool same_value(const PublicValue& a, const PublicValue& b) {
  const auto same_number = [](double x, double y) {
    return x == y || (std::isnan(x) && std::isnan(y));
  };
  return a.dimensions == b.dimensions && a.integers == b.integers &&
         std::equal(a.numbers.begin(), a.numbers.end(), b.numbers.begin(), b.numbers.end(),
                    same_number);
}

[[noreturn]] void refuse_undeclared(const DataVariable& variable) {
  std::string hint;
  if (variable.is_integer_scalar()) {
    hint = fmt::format(
        "Declare it: '{0} = ...' under [public] in the schema, or -D {0}=..., or --public "
        "FILE.json.",
        variable.name);
  } else {
    hint = fmt::format(
        "Declare it: '{0} = ...' under [public] in the schema, or --public "
        "FILE.json with \"{0}\".",
        variable.name);
  }
  throw InputError(kUndeclaredPublicFact,
                   fmt::format("'{}' ({}) is public data of the program and nobody declared it; it "
                               "is never taken from the records.",
                               variable.name, variable.type_words),
                   hint, variable.place);
}

void check_shape(const DataVariable& variable, const PublicValue& value, const PublicData& data) {
  const std::size_t rank = variable.dimensions.size();
  bool fits = value.dimensions.size() == rank;
  std::vector<std::string> wanted;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::optional<double> extent = value_of(variable.dimensions[i], data);
    wanted.push_back(variable.dimensions[i].text);
    if (!extent) continue;
    wanted.back() = fmt::format("{}", *extent);
    fits = fits && static_cast<double>(value.dimensions[i]) == *extent;
  }
  // Stan writes a variable without elements as [], whatever its rank.
  const bool both_empty =
      value.numbers.empty() && std::find(wanted.begin(), wanted.end(), "0") != wanted.end();
  if (fits || both_empty) return;
  throw InputError(
      kBadShape,
      fmt::format("'{}' is {}; the program declares {}, which is [{}] here.", variable.name,
                  shape_words(value.dimensions), variable.type_words, fmt::join(wanted, ", ")),
      "Make the two agree.", value.place);
}

void check_numbers(const DataVariable& variable, const PublicValue& value, const PublicData& data) {
  const auto refuse = [&](double number, const std::string& rule) {
    throw InputError(kBadPublicValue, fmt::format("'{}' is {}; {}", variable.name, number, rule),
                     "Correct the declared value.", value.place);
  };
  if (variable.base == BaseType::integer) {
    for (const double number : value.numbers) {
      const bool fits = std::abs(number) <= std::numeric_limits<std::int32_t>::max();
      if (!value.integers || !fits) refuse(number, "the program wants 32-bit integers here.");
    }
  }
  const std::optional<double> lower =
      variable.lower ? value_of(*variable.lower, data) : std::nullopt;
  const std::optional<double> upper =
      variable.upper ? value_of(*variable.upper, data) : std::nullopt;
  for (const double number : value.numbers) {
    if (lower && !(number >= *lower)) {
      refuse(number, fmt::format("the program declares lower={}.", *lower));
    }
    if (upper && !(number <= *upper)) {
      refuse(number, fmt::format("the program declares upper={}.", *upper));
    }
  }
}

}  // namespace

PublicValue PublicValue::integer(double value, std::string source) {
  return {true, {}, {value}, std::move(source), {}};
}

void add_public_value(PublicData& data, const std::string& name, PublicValue value) {
  const auto [present, added] = data.try_emplace(name, value);
  if (added || same_value(present->second, value)) return;
  throw InputError(kBadPublicValue,
                   fmt::format("'{}' has one value from {} and another from {}.", name,
                               present->second.source, value.source),
                   "Keep one of the two.", value.place);
}

std::optional<double> value_of(const DeclaredNumber& number, const PublicData& data) {
  if (number.kind == DeclaredNumber::Kind::number) return number.value;
  if (number.kind == DeclaredNumber::Kind::expression) return std::nullopt;
  const auto found = data.find(number.size);
  if (found == data.end() || found->second.numbers.size() != 1) return std::nullopt;
  return found->second.numbers.front() + number.value;
}

void check_public_data(std::span<const DataVariable> variables, const PublicData& data,
                       const std::string& record_count) {
  for (const DataVariable& variable : variables) {
    if (variable.per_record || variable.name == record_count) continue;
    const auto found = data.find(variable.name);
    if (found == data.end()) refuse_undeclared(variable);
    check_shape(variable, found->second, data);
    check_numbers(variable, found->second, data);
  }
}

std::string shape_words(std::span<const std::size_t> dimensions) {
  if (dimensions.empty()) return "one number";
  if (dimensions.size() == 1) return fmt::format("a list of {}", dimensions[0]);
  return fmt::format("nested lists of {}", fmt::join(dimensions, " x "));
}

}  // namespace dpvi
