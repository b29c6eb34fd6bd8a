#include <dpvi/stan/stan_type.hpp>

namespace dpvi {
namespace {

std::string_view name_of(BaseType base) {
  switch (base) {
    case BaseType::integer:
      return "int";
    case BaseType::real:
      return "real";
    case BaseType::complex:
      return "complex";
    case BaseType::vector:
      return "vector";
    case BaseType::row_vector:
      return "row_vector";
    case BaseType::matrix:
      return "matrix";
    case BaseType::nothing:
      return "void";
    case BaseType::error:
      break;
  }
  return "unknown type";
}

}  // namespace

int StanType::rank() const {
  switch (base) {
    case BaseType::vector:
    case BaseType::row_vector:
      return array_rank + 1;
    case BaseType::matrix:
      return array_rank + 2;
    default:
      return array_rank;
  }
}

std::string to_string(StanType type) {
  std::string text;
  if (type.array_rank > 0) {
    text = "array[" + std::string(static_cast<std::size_t>(type.array_rank - 1), ',') + "] ";
  }
  return text.append(name_of(type.base));
}

BaseType base_type_named(std::string_view name) {
  for (const BaseType base : {BaseType::integer, BaseType::real, BaseType::complex,
                              BaseType::vector, BaseType::row_vector, BaseType::matrix}) {
    if (name == name_of(base)) return base;
  }
  return BaseType::error;
}

bool promotes_to(StanType from, StanType to) {
  if (from.is_error() || to.is_error() || from == to) return true;
  return from.array_rank == to.array_rank && from.base == BaseType::integer &&
         to.base == BaseType::real;
}

StanType common_type(StanType a, StanType b) {
  if (promotes_to(a, b)) return b;
  if (promotes_to(b, a)) return a;
  return kErrorType;
}

}  // namespace dpvi
