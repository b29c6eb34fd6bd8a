#include <dpvi/data/public_data.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <dpvi/data/shape.hpp>

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
  throw UndeclaredFactError(
      fmt::format("'{}' ({}) is public data of the program and is not declared; it is "
                  "never taken from the records.",
                  variable.name, variable.type_description),
      hint, variable.place);
}

void check_numbers(const DataVariable& variable, const PublicValue& value, const PublicData& data) {
  const auto refuse = [&](double number, const std::string& rule) {
    throw InputError(kBadPublicValue, fmt::format("'{}' is {}; {}", variable.name, number, rule),
                     "Correct the declared value.", value.place);
  };
  if (variable.base == BaseType::integer) {
    for (const double number : value.numbers) {
      const bool fits = std::abs(number) <= std::numeric_limits<std::int32_t>::max();
      if (!value.integers || !fits) refuse(number, "the program needs 32-bit integers here.");
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
  const auto known = [&](const std::string& name) -> std::optional<double> {
    const auto found = data.find(name);
    if (found == data.end() || found->second.numbers.size() != 1) return std::nullopt;
    return found->second.numbers.front();
  };
  if (number.kind == DeclaredNumber::Kind::expression) {
    return number.evaluate ? number.evaluate(known) : std::nullopt;
  }
  const std::optional<double> size = known(number.size);
  return size ? std::optional(*size + number.value) : std::nullopt;
}

UndeclaredFactError::UndeclaredFactError(std::string message, std::string hint, SourcePlace place)
    : InputError(kUndeclaredPublicFact, std::move(message), std::move(hint), std::move(place)) {}

void check_public_data(std::span<const DataVariable> variables, const PublicData& data,
                       const std::string& record_count) {
  std::vector<std::pair<const DataVariable*, const PublicValue*>> given;
  for (const DataVariable& variable : variables) {
    if (variable.per_record || variable.name == record_count) continue;
    const auto found = data.find(variable.name);
    if (found == data.end()) refuse_undeclared(variable);
    given.emplace_back(&variable, &found->second);
  }
  // Sizes must be valid before shapes are compared with them.
  for (const auto& [variable, value] : given) check_numbers(*variable, *value, data);
  for (const auto& [variable, value] : given) {
    check_shape(*variable, value->dimensions, std::nullopt, data, value->place);
  }
}

}  // namespace dpvi
