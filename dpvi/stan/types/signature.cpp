#include <dpvi/stan/types/signature.hpp>

#include <algorithm>
#include <array>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

using Kind = ArgumentPattern::Kind;
using Result = Signature::Result;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

StanType plain_type(std::string_view word) {
  if (word.starts_with("tuple(")) {
    std::vector<StanType> parts;
    const std::string_view inner = word.substr(6, word.size() - 7);
    for (const std::string_view part : split(inner, ',')) parts.push_back(plain_type(part));
    return tuple_type(parts);
  }
  const std::size_t bracket = word.find('[');
  StanType type{base_type_named(word.substr(0, bracket)), 0};
  if (bracket != std::string_view::npos) {
    type.array_rank = static_cast<int>(word.size() - bracket) - 1;
  }
  if (word == "void") type = kVoidType;
  if (type.is_error()) {
    throw InternalError(kInternal, "no type is called " + std::string(word), "Report this.");
  }
  return type;
}

ArgumentPattern argument_pattern(std::string_view word) {
  static constexpr std::array<std::pair<std::string_view, Kind>, 10> kNamed = {
      {{"x", Kind::x},
       {"reals", Kind::reals},
       {"ints", Kind::ints},
       {"counts", Kind::counts},
       {"vectors", Kind::vectors},
       {"list", Kind::list},
       {"matrices", Kind::matrices},
       {"design", Kind::design},
       {"arrays", Kind::arrays},
       {"any", Kind::any}}};
  for (const auto& [name, kind] : kNamed) {
    if (word == name) return {kind, kErrorType};
  }
  return {Kind::exact, plain_type(word)};
}

Signature parse_signature(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, Result>, 7> kNamed = {
      {{"first", Result::first},
       {"x", Result::x},
       {"number", Result::number},
       {"element", Result::element},
       {"array1", Result::array1},
       {"array2", Result::array2},
       {"array3", Result::array3}}};
  std::vector<std::string_view> words = split(text, ' ');
  Signature made;
  const std::string_view result = words.back();
  words.resize(words.size() - 2);
  for (const std::string_view word : words) made.arguments.push_back(argument_pattern(word));
  for (const auto& [name, kind] : kNamed) {
    if (result == name) {
      made.result_kind = kind;
      return made;
    }
  }
  made.result = plain_type(result);
  return made;
}

bool is_vector(StanBase base) { return base == StanBase::vector || base == StanBase::row_vector; }
bool is_number(StanBase base) { return base == StanBase::integer || base == StanBase::real; }

bool matches(const ArgumentPattern& pattern, StanType type) {
  if (type.is_error()) return true;
  if (type.base == StanBase::tuple) return false;
  const bool flat = type.array_rank == 0;
  switch (pattern.kind) {
    case Kind::exact:
      return promotes_to(type, pattern.type);
    case Kind::x:
      return type.base != StanBase::nothing && type.base != StanBase::complex;
    case Kind::reals:
      return (is_number(type.base) && type.array_rank <= 1) || (is_vector(type.base) && flat);
    case Kind::ints:
      return type.base == StanBase::integer && type.array_rank <= 1;
    case Kind::counts:
      return type.base == StanBase::integer;
    case Kind::vectors:
      return is_vector(type.base) && type.array_rank <= 1;
    case Kind::list:
      return (is_vector(type.base) && flat) || (is_number(type.base) && type.array_rank == 1);
    case Kind::matrices:
      return type.base == StanBase::matrix && type.array_rank <= 1;
    case Kind::design:
      return flat && (type.base == StanBase::matrix || type.base == StanBase::row_vector);
    case Kind::arrays:
      return type.is_array() && type.base != StanBase::nothing;
    case Kind::any:
      break;
  }
  return type.base != StanBase::nothing;
}

// The result type of an elementwise function: scalars combine with containers of one type. An array
// of ints combines with any container that has the same number of dimensions.
StanType widest(std::span<const StanType> arguments) {
  StanType result = kRealType;
  bool only_ints = false;  // `result` is the type of arrays of ints, as reals
  for (const StanType type : arguments) {
    const StanType real{type.base == StanBase::integer ? StanBase::real : type.base,
                        type.array_rank};
    if (real == kRealType || real == result) continue;
    const bool ints = type.base == StanBase::integer;
    if (ints && result.rank() == type.rank()) continue;
    const bool over_ints = only_ints && result.rank() == type.rank();
    if (result != kRealType && !over_ints) return kErrorType;
    only_ints = ints;
    result = real;
  }
  return result;
}

bool all_ints(std::span<const StanType> arguments) {
  return std::all_of(arguments.begin(), arguments.end(),
                     [](StanType type) { return type.base == StanBase::integer; });
}

StanType result_type(const Signature& signature, std::span<const StanType> arguments) {
  const StanType first = arguments.empty() ? kErrorType : arguments[0];
  switch (signature.result_kind) {
    case Result::exact:
      return signature.result;
    case Result::first:
      return first;
    case Result::x:
      return widest(arguments);
    case Result::number: {
      const StanType widest_type = widest(arguments);
      if (widest_type.is_error() || !all_ints(arguments)) return widest_type;
      return {StanBase::integer, widest_type.array_rank};
    }
    case Result::element:
      return first.element();
    case Result::array1:
      return {first.base, first.array_rank + 1};
    case Result::array2:
      return {first.base, first.array_rank + 2};
    case Result::array3:
      break;
  }
  return {first.base, first.array_rank + 3};
}

}  // namespace

std::vector<Signature> parse_signatures(std::string_view text) {
  std::vector<Signature> list;
  for (const std::string_view one : split(text, ';')) list.push_back(parse_signature(one));
  return list;
}

std::optional<StanType> match_signatures(std::span<const Signature> signatures,
                                         std::span<const StanType> arguments) {
  std::optional<StanType> best;
  int fewest = 0;
  for (const Signature& signature : signatures) {
    if (signature.arguments.size() != arguments.size()) continue;
    int promotions = 0;
    bool fits = true;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const ArgumentPattern& pattern = signature.arguments[i];
      fits = fits && matches(pattern, arguments[i]);
      if (pattern.kind == Kind::exact && !(pattern.type == arguments[i])) ++promotions;
    }
    if (!fits || (best && promotions >= fewest)) continue;
    const StanType result = result_type(signature, arguments);
    const bool any_error = std::any_of(arguments.begin(), arguments.end(),
                                       [](StanType type) { return type.is_error(); });
    if (result.is_error() && !any_error) continue;
    best = result;
    fewest = promotions;
  }
  return best;
}

}  // namespace dpvi
