#include <dpvi/stan/types/function_table.hpp>
#include <dpvi/stan/value/operators.hpp>

// Stan's operators in their function form.
namespace dpvi {
namespace {

using Arguments = std::span<const Value>;

template <Operator kOperator>
Value binary(CallContext& context, Arguments arguments) {
  return binary_value(context, kOperator, arguments[0], arguments[1]);
}

template <Operator kOperator>
Value unary(CallContext& context, Arguments arguments) {
  return unary_value(context, kOperator, arguments[0]);
}

constexpr std::string_view kAlike =
    "int int -> int;real real -> real;vector vector -> vector;row_vector row_vector -> row_vector;"
    "matrix matrix -> matrix;vector real -> vector;row_vector real -> row_vector;"
    "matrix real -> matrix;real vector -> vector;real row_vector -> row_vector;"
    "real matrix -> matrix";
constexpr std::string_view kProducts =
    "int int -> int;real real -> real;matrix matrix -> matrix;matrix vector -> vector;"
    "row_vector matrix -> row_vector;row_vector vector -> real;vector row_vector -> matrix;"
    "vector real -> vector;row_vector real -> row_vector;matrix real -> matrix;"
    "real vector -> vector;real row_vector -> row_vector;real matrix -> matrix";
constexpr std::string_view kQuotients =
    "int int -> int;real real -> real;vector real -> vector;row_vector real -> row_vector;"
    "matrix real -> matrix;real vector -> vector;real row_vector -> row_vector;"
    "real matrix -> matrix";
constexpr std::string_view kSigned = "x -> first";
constexpr std::string_view kCompared = "int int -> int;real real -> int";

constexpr FunctionRow kRows[] = {
    {"add", kAlike, binary<Operator::add>},
    {"subtract", kAlike, binary<Operator::subtract>},
    {"multiply", kProducts, binary<Operator::multiply>},
    {"divide", kQuotients, binary<Operator::divide>},
    {"modulus", "int int -> int", binary<Operator::modulo>},
    {"minus", kSigned, unary<Operator::negate>},
    {"plus", kSigned, unary<Operator::plus>},
    {"logical_negation", "int -> int;real -> int", unary<Operator::logical_not>},
    {"logical_and", kCompared, binary<Operator::logical_and>},
    {"logical_or", kCompared, binary<Operator::logical_or>},
    {"logical_eq", kCompared, binary<Operator::equal>},
    {"logical_neq", kCompared, binary<Operator::not_equal>},
    {"logical_lt", kCompared, binary<Operator::less>},
    {"logical_lte", kCompared, binary<Operator::less_equal>},
    {"logical_gt", kCompared, binary<Operator::greater>},
    {"logical_gte", kCompared, binary<Operator::greater_equal>},
    {"mdivide_left", "matrix vector -> vector;matrix matrix -> matrix",
     binary<Operator::left_divide>},
    {"mdivide_right", "row_vector matrix -> row_vector;matrix matrix -> matrix",
     binary<Operator::divide>},
    {"matrix_power", "matrix int -> matrix", binary<Operator::power>},
};

}  // namespace

std::span<const FunctionRow> operator_function_rows() { return kRows; }

}  // namespace dpvi
