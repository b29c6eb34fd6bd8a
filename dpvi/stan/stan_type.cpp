#include <dpvi/stan/stan_type.hpp>

namespace dpvi {
namespace {

std::string_view name_of(StanBase base) {
  switch (base) {
    case StanBase::integer:
      return "int";
    case StanBase::real:
      return "real";
    case StanBase::complex:
      return "complex";
    case StanBase::vector:
      return "vector";
    case StanBase::row_vector:
      return "row_vector";
    case StanBase::matrix:
      return "matrix";
    case StanBase::nothing:
      return "void";
    case StanBase::error:
      break;
  }
  return "unknown type";
}

}  // namespace

int StanType::rank() const {
  switch (base) {
    case StanBase::vector:
    case StanBase::row_vector:
      return array_rank + 1;
    case StanBase::matrix:
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

StanBase base_type_named(std::string_view name) {
  for (const StanBase base : {StanBase::integer, StanBase::real, StanBase::complex,
                              StanBase::vector, StanBase::row_vector, StanBase::matrix}) {
    if (name == name_of(base)) return base;
  }
  return StanBase::error;
}

bool promotes_to(StanType from, StanType to) {
  if (from.is_error() || to.is_error() || from == to) return true;
  return from.array_rank == to.array_rank && from.base == StanBase::integer &&
         to.base == StanBase::real;
}

StanType common_type(StanType a, StanType b) {
  if (promotes_to(a, b)) return b;
  if (promotes_to(b, a)) return a;
  return kErrorType;
}

}  // namespace dpvi
