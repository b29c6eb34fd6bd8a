#include <dpvi/stan/value/operators.hpp>

#include <fmt/format.h>

#include <dpvi/stan/types/type_rules.hpp>
#include <dpvi/stan/value/matrix_entries.hpp>
#include <dpvi/stan/value/record_count_rules.hpp>

namespace dpvi {
namespace {

RecordTrace joint_trace(const Value& left, const Value& right) {
  RecordTrace trace;
  trace.over_records = left.trace.over_records || right.trace.over_records;
  trace.counts_records = left.trace.counts_records || right.trace.counts_records;
  trace.counts_units = left.trace.counts_units || right.trace.counts_units;
  trace.position = left.trace.position || right.trace.position;
  return trace;
}

// The increment of a sum, difference or product per further record; 0 if it varies.
double joint_growth(CallContext& context, Operator op, const Value& left, const Value& right) {
  const auto times = [&](const Value& grows, const Value& factor) {
    const double* known = factor.known(context.builder);
    const bool steady = known != nullptr && !factor.trace.counts_records;
    return steady ? grows.trace.growth * *known : 0.0;
  };
  const bool varies = (left.trace.counts_records && left.trace.growth == 0) ||
                      (right.trace.counts_records && right.trace.growth == 0);
  if (varies) return 0;
  switch (op) {
    case Operator::add:
      return left.trace.growth + right.trace.growth;
    case Operator::subtract:
      return left.trace.growth - right.trace.growth;
    case Operator::multiply:
      return times(left, right) + times(right, left);
    default:
      return 0;
  }
}

void check_same_shape(const CallContext& context, const Value& left, const Value& right) {
  if (left.is_scalar() || right.is_scalar() || left.dims() == right.dims()) return;
  context.fail_sizes(
      fmt::format("Sizes do not match: {} and {}.", shape_text(left), shape_text(right)),
      left.trace.over_records, right.trace.over_records);
}

StanType real_type(StanType type) {
  if (type.base == StanBase::integer) type.base = StanBase::real;
  return type;
}

// Ints are divided toward zero. Division by a known 0 is an error; division by an unknown 0 gives
// NaN.
Value integer_quotient(CallContext& context, Op op, const Value& left, const Value& right) {
  const double* divisor = right.known(context.builder);
  if (divisor != nullptr && *divisor == 0) context.fail("An int is divided by zero.");
  GraphBuilder& builder = context.builder;
  const NodeId a = left.flat(builder);
  const NodeId b = right.flat(builder);
  const NodeId exact = builder.binary(op, a, b);
  Value result = Value::scalar(kIntType, op == Op::div ? builder.unary(Op::trunc, exact) : exact);
  result.trace = joint_trace(left, right);
  return result;
}

Value comparison(CallContext& context, Operator op, const Value& left, const Value& right) {
  check_comparison(context, op, left, right);
  switch (op) {
    case Operator::equal:
      return elementwise(context, Op::eq, left, right);
    case Operator::not_equal:
      return elementwise(context, Op::ne, left, right);
    case Operator::less:
      return elementwise(context, Op::lt, left, right);
    case Operator::less_equal:
      return elementwise(context, Op::le, left, right);
    case Operator::greater:
      return elementwise(context, Op::lt, right, left);
    case Operator::greater_equal:
      return elementwise(context, Op::le, right, left);
    case Operator::logical_and:
      return elementwise(context, Op::logical_and, left, right);
    default:
      return elementwise(context, Op::logical_or, left, right);
  }
}

Value as_int(const Value& value) { return value.with_type(kIntType, Dims()); }

Value matrix_power(CallContext& context, const Value& base, const Value& exponent) {
  const std::int64_t times = context.known_int(exponent, "The power of a matrix");
  if (base.rows() != base.columns()) context.fail("Only a square matrix has powers.");
  if (times < 0 || times > 64)
    context.fail(fmt::format("The power of a matrix is {}; it must be from 0 to 64.", times));
  if (times == 0) return identity_of(context, base.rows());
  Value result = base;
  for (std::int64_t i = 1; i < times; ++i) result = matrix_product(context, result, base);
  return result;
}

Value product(CallContext& context, const Value& left, const Value& right) {
  if (left.is_scalar() || right.is_scalar()) return elementwise(context, Op::mul, left, right);
  return matrix_product(context, left, right);
}

Value quotient(CallContext& context, const Value& left, const Value& right) {
  if (left.type().is_int() && right.type().is_int()) {
    return integer_quotient(context, Op::div, left, right);
  }
  if (right.type() == kMatrixType && !left.is_scalar()) return right_division(context, left, right);
  return elementwise(context, Op::div, left, right);
}

}  // namespace

std::string shape_text(const Value& value) {
  if (value.is_scalar()) return "a scalar";
  std::string text;
  for (std::size_t i = 0; i < value.dims().count(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : " x ", value.dims()[i]);
  }
  return text;
}

namespace {

bool is_number_array(const Value& value) {
  return value.type().is_array() &&
         (value.type().base == StanBase::integer || value.type().base == StanBase::real);
}

}  // namespace

Value laid_out_like(CallContext& context, const Value& value, const Value& like) {
  const bool array_of_numbers = is_number_array(value) && !is_number_array(like);
  if (like.is_scalar() || !array_of_numbers) return value;
  if (like.type().base != StanBase::matrix) return value.with_type(like.type(), value.dims());
  const std::vector<std::int64_t> places = offsets_by_rows(like.type(), value.dims());
  const std::vector<NodeId>& entries = value.entries(context.builder);
  std::vector<NodeId> moved(entries.size());
  for (std::size_t i = 0; i < moved.size(); ++i) {
    moved[static_cast<std::size_t>(places[i])] = entries[i];
  }
  Value result(like.type(), value.dims(), std::move(moved));
  result.trace = value.trace;
  return result;
}

Value elementwise(CallContext& context, Op op, const Value& first, const Value& second) {
  check_same_shape(context, first, second);
  const Value left = laid_out_like(context, first, second);
  const Value right = laid_out_like(context, second, first);
  const Value& wider = left.is_scalar() ? right : left;
  const bool ints = left.type().base == StanBase::integer && right.type().base == StanBase::integer;
  context.spend(wider.size() / 8 + 1);
  GraphBuilder& builder = context.builder;
  const NodeId node = wider.size() == 0 && !wider.is_scalar()
                          ? builder.constant(std::span<const double>())
                          : builder.binary(op, left.flat(builder), right.flat(builder));
  Value result(ints ? wider.type() : real_type(wider.type()), wider.dims(), node);
  result.trace = joint_trace(left, right);
  return result;
}

Value elementwise(CallContext& context, Op op, const Value& operand) {
  context.spend(operand.size() / 8 + 1);
  GraphBuilder& builder = context.builder;
  Value result(real_type(operand.type()), operand.dims(), builder.unary(op, operand.flat(builder)));
  result.trace = joint_trace(operand, operand);
  return result;
}

Value blended(CallContext& context, NodeId mask, const Value& yes, const Value& no) {
  if (yes.is_tuple() && no.is_tuple() && yes.parts().size() == no.parts().size()) {
    std::vector<Value> parts;
    for (std::size_t i = 0; i < yes.parts().size(); ++i) {
      parts.push_back(blended(context, mask, yes.parts()[i], no.parts()[i]));
    }
    return Value::tuple(common_type(yes.type(), no.type()), yes.dims(), std::move(parts));
  }
  if (!(yes.dims() == no.dims()) || yes.is_tuple() || no.is_tuple()) {
    context.fail(fmt::format("Two values that depend on a condition have sizes {} and {}.",
                             shape_text(yes), shape_text(no)),
                 "Give them the same size.");
  }
  GraphBuilder& builder = context.builder;
  context.spend(yes.size() / 8 + 1);
  Value result(common_type(yes.type(), no.type()), yes.dims(),
               builder.select(mask, yes.flat(builder), no.flat(builder)));
  result.trace = joint_trace(yes, no);
  return result;
}

namespace {

Value plain_binary_value(CallContext& context, Operator op, const Value& left, const Value& right) {
  const bool ints = left.type().is_int() && right.type().is_int();
  switch (op) {
    case Operator::add:
      return elementwise(context, Op::add, left, right);
    case Operator::subtract:
      return elementwise(context, Op::sub, left, right);
    case Operator::element_multiply:
      return elementwise(context, Op::mul, left, right);
    case Operator::element_divide:
    case Operator::integer_divide:
      return ints ? integer_quotient(context, Op::div, left, right)
                  : elementwise(context, Op::div, left, right);
    case Operator::modulo:
      return integer_quotient(context, Op::fmod, left, right);
    case Operator::multiply:
      return product(context, left, right);
    case Operator::divide:
      return quotient(context, left, right);
    case Operator::left_divide:
      return left_division(context, left, right);
    case Operator::power:
      if (left.type() == kMatrixType) return matrix_power(context, left, right);
      [[fallthrough]];
    case Operator::element_power: {
      const Value result = elementwise(context, Op::pow, left, right);
      return result.with_type(real_type(result.type()), result.dims());
    }
    default:
      return as_int(comparison(context, op, left, right));
  }
}

}  // namespace

Value binary_value(CallContext& context, Operator op, const Value& left, const Value& right) {
  Value result = plain_binary_value(context, op, left, right);
  if (result.trace.counts_records) result.trace.growth = joint_growth(context, op, left, right);
  return result;
}

Value unary_value(CallContext& context, Operator op, const Value& operand) {
  if (op == Operator::plus) return operand;
  if (op == Operator::logical_not) return as_int(elementwise(context, Op::logical_not, operand));
  const Value result = elementwise(context, Op::neg, operand);
  return result.with_type(operand.type(), operand.dims());
}

Value transposed(CallContext& context, const Value& operand) {
  GraphBuilder& builder = context.builder;
  if (operand.type() != kMatrixType) {
    const StanType type = operand.type() == kVectorType ? kRowVectorType : kVectorType;
    Value result = operand.with_type(type, operand.dims());
    result.trace = {};
    return result;
  }
  const std::int64_t rows = operand.rows();
  const std::int64_t columns = operand.columns();
  const Dims dims{columns, rows};
  context.spend(operand.size() / 8 + 1);
  if (rows == 1 || columns == 1 || operand.size() == 0) {
    Value result = operand.with_type(kMatrixType, dims);
    result.trace = {};
    return result;
  }
  std::vector<NodeId> lines;
  const NodeId flat = operand.flat(builder);
  for (std::int64_t r = 0; r < rows; ++r) {
    lines.push_back(builder.slice(flat, static_cast<std::int32_t>(r),
                                  static_cast<std::int32_t>(columns),
                                  static_cast<std::int32_t>(rows)));
  }
  return Value(kMatrixType, dims, builder.pack(lines));
}

Value matrix_product(CallContext& context, const Value& left, const Value& right) {
  GraphBuilder& builder = context.builder;
  const std::int64_t rows = left.rows();
  const std::int64_t inner = left.columns();
  const std::int64_t columns = right.columns();
  if (inner != right.rows()) {
    context.fail(
        fmt::format("A product needs as many columns on its left as rows on its right; "
                    "these are {} and {}.",
                    inner, right.rows()));
  }
  context.checked_size(rows * columns);
  context.spend(rows * columns * inner / 8 + 1);
  const MatmulShape shape{static_cast<std::int32_t>(rows), static_cast<std::int32_t>(inner),
                          static_cast<std::int32_t>(columns), 1, static_cast<std::int32_t>(rows)};
  const NodeId node = builder.matmul(left.flat(builder), right.flat(builder), shape);
  const StanType type = *binary_type(Operator::multiply, left.type(), right.type());
  Dims dims;
  if (type == kVectorType || type == kMatrixType) dims.push(rows);
  if (type == kRowVectorType || type == kMatrixType) dims.push(columns);
  Value result(type, dims, node);
  result.trace.over_records = left.trace.over_records && left.type() != kRowVectorType;
  return result;
}

}  // namespace dpvi
