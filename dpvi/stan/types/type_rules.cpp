#include <dpvi/stan/types/type_rules.hpp>

#include <algorithm>

namespace dpvi {
namespace {

bool is_linear(StanType type) {
  return type == kVectorType || type == kRowVectorType || type == kMatrixType;
}

StanType scalar_result(StanType left, StanType right) {
  return left.is_int() && right.is_int() ? kIntType : kRealType;
}

// Combines a scalar with a scalar, a scalar with a container, or two containers of one type.
std::optional<StanType> elementwise(StanType left, StanType right) {
  if (left.is_scalar() && right.is_scalar()) return scalar_result(left, right);
  if (left.is_scalar() && is_linear(right)) return right;
  if (is_linear(left) && (right.is_scalar() || left == right)) return left;
  return std::nullopt;
}

std::optional<StanType> product(StanType left, StanType right) {
  if (left.is_scalar() || right.is_scalar()) return elementwise(left, right);
  if (!is_linear(left) || !is_linear(right)) return std::nullopt;
  const bool left_columns = left != kVectorType;
  const bool right_rows = right != kRowVectorType;
  if (!left_columns) return right == kRowVectorType ? std::optional(kMatrixType) : std::nullopt;
  if (!right_rows) return std::nullopt;
  if (left == kRowVectorType) return right == kVectorType ? kRealType : kRowVectorType;
  return right == kVectorType ? kVectorType : kMatrixType;
}

std::optional<StanType> quotient(StanType left, StanType right) {
  if (right == kMatrixType && (left == kRowVectorType || left == kMatrixType)) return left;
  if (left.is_scalar() || right.is_scalar()) return elementwise(left, right);
  return std::nullopt;
}

std::optional<StanType> power(StanType left, StanType right) {
  if (left.is_scalar() && right.is_scalar()) return kRealType;
  const auto real = [](StanType type) {
    return StanType{type.base == StanBase::integer ? StanBase::real : type.base, type.array_rank};
  };
  if (left.is_scalar()) return real(right);
  if (right.is_scalar() || real(left) == real(right)) return real(left);
  return std::nullopt;
}

}  // namespace

std::optional<StanType> binary_type(Operator op, StanType left, StanType right) {
  if (left.is_error() || right.is_error()) return kErrorType;
  const bool scalars = left.is_scalar() && right.is_scalar();
  switch (op) {
    case Operator::add:
    case Operator::subtract:
    case Operator::element_multiply:
    case Operator::element_divide:
      return elementwise(left, right);
    case Operator::multiply:
      return product(left, right);
    case Operator::divide:
      return quotient(left, right);
    case Operator::modulo:
    case Operator::integer_divide:
      return left.is_int() && right.is_int() ? std::optional(kIntType) : std::nullopt;
    case Operator::left_divide:
      if (left == kMatrixType && (right == kVectorType || right == kMatrixType)) return right;
      return std::nullopt;
    case Operator::power:
    case Operator::element_power:
      return power(left, right);
    default:
      return scalars ? std::optional(kIntType) : std::nullopt;
  }
}

std::optional<StanType> unary_type(Operator op, StanType operand) {
  if (operand.is_error()) return kErrorType;
  if (op == Operator::logical_not) {
    return operand.is_scalar() ? std::optional(kIntType) : std::nullopt;
  }
  const bool numbers = operand.base != StanBase::nothing && operand.base != StanBase::tuple;
  return numbers ? std::optional(operand) : std::nullopt;
}

std::optional<StanType> transposed_type(StanType operand) {
  if (operand.is_error() || operand == kMatrixType) return operand;
  if (operand == kVectorType) return kRowVectorType;
  if (operand == kRowVectorType) return kVectorType;
  return std::nullopt;
}

StanType indexed_type(StanType type, const std::vector<bool>& keeps) {
  const std::size_t over_arrays = std::min(keeps.size(), static_cast<std::size_t>(type.array_rank));
  int arrays = type.array_rank;
  for (std::size_t i = 0; i < over_arrays; ++i) arrays -= keeps[i] ? 0 : 1;
  const std::size_t rest = keeps.size() - over_arrays;
  if (rest == 0) return type.with_rank(arrays);
  const bool keeps_first = keeps[over_arrays];
  const bool keeps_second = rest < 2 || keeps[over_arrays + 1];
  if (type.base != StanBase::matrix) return {keeps_first ? type.base : StanBase::real, arrays};
  if (keeps_first) return {keeps_second ? StanBase::matrix : StanBase::vector, arrays};
  return {keeps_second ? StanBase::row_vector : StanBase::real, arrays};
}

}  // namespace dpvi
