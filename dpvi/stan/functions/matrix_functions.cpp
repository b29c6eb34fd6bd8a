#include <cmath>

#include <fmt/format.h>

#include <dpvi/stan/types/function_table.hpp>
#include <dpvi/stan/value/matrix_entries.hpp>

// Functions that compute matrices or numbers from matrices.
namespace dpvi {
namespace {

using Arguments = std::span<const Value>;

Value scalar_real(NodeId node) { return Value::scalar(kRealType, node); }

Value diagonal(CallContext& context, Arguments arguments) {
  GraphBuilder& builder = context.builder;
  const Value& matrix = arguments[0];
  const std::int64_t size = std::min(matrix.rows(), matrix.columns());
  if (size == 0) return Value(kVectorType, {0}, builder.constant(std::span<const double>()));
  return Value(kVectorType, {size},
               builder.slice(matrix.flat(builder), 0, static_cast<std::int32_t>(size),
                             static_cast<std::int32_t>(matrix.rows() + 1)));
}

Value diag_matrix(CallContext& context, Arguments arguments) {
  const std::int64_t size = arguments[0].size();
  MatrixEntries made(context, size, size);
  for (std::int64_t i = 0; i < size; ++i) made(i, i) = arguments[0].entry(context.builder, i);
  return made.matrix();
}

Value identity_matrix(CallContext& context, Arguments arguments) {
  return identity_of(context, context.known_int(arguments[0], "A size"));
}

Value add_diag(CallContext& context, Arguments arguments) {
  const Value& added = arguments[1];
  const std::int64_t size = std::min(arguments[0].rows(), arguments[0].columns());
  if (!added.is_scalar() && added.size() != size) context.fail("add_diag: sizes do not match.");
  MatrixEntries made(context, arguments[0]);
  for (std::int64_t i = 0; i < size; ++i) {
    made(i, i) =
        context.builder.add(made(i, i), added.entry(context.builder, added.is_scalar() ? 0 : i));
  }
  return made.matrix();
}

// Multiplies each row r by scale[r].
Value rows_scaled(CallContext& context, const Value& scale, const Value& matrix) {
  require_sizes(context, scale.size(), matrix.rows());
  GraphBuilder& builder = context.builder;
  if (matrix.size() == 0) return matrix;
  std::vector<NodeId> columns(static_cast<std::size_t>(matrix.columns()), scale.flat(builder));
  context.spend(matrix.size() / 8 + 1);
  return Value(kMatrixType, matrix.dims(),
               builder.mul(builder.pack(columns), matrix.flat(builder)));
}

// Multiplies each column c by scale[c].
Value columns_scaled(CallContext& context, const Value& matrix, const Value& scale) {
  require_sizes(context, scale.size(), matrix.columns());
  GraphBuilder& builder = context.builder;
  if (matrix.size() == 0) return matrix;
  std::vector<NodeId> columns;
  for (std::int64_t c = 0; c < matrix.columns(); ++c) {
    columns.push_back(
        builder.broadcast(scale.entry(builder, c), static_cast<std::int32_t>(matrix.rows())));
  }
  context.spend(matrix.size() / 8 + 1);
  return Value(kMatrixType, matrix.dims(),
               builder.mul(builder.pack(columns), matrix.flat(builder)));
}

Value diag_pre_multiply(CallContext& context, Arguments arguments) {
  return rows_scaled(context, arguments[0], arguments[1]);
}

Value diag_post_multiply(CallContext& context, Arguments arguments) {
  return columns_scaled(context, arguments[0], arguments[1]);
}

Value tcrossprod(CallContext& context, Arguments arguments) {
  return matrix_product(context, arguments[0], transposed(context, arguments[0]));
}

Value crossprod(CallContext& context, Arguments arguments) {
  return matrix_product(context, transposed(context, arguments[0]), arguments[0]);
}

Value lower_triangle(CallContext& context, const Value& matrix) {
  MatrixEntries made(context, matrix);
  for (std::int64_t c = 1; c < matrix.columns(); ++c) {
    for (std::int64_t r = 0; r < std::min(c, matrix.rows()); ++r) {
      made(r, c) = context.builder.constant(0.0);
    }
  }
  return made.matrix();
}

Value multiply_lower_tri_self_transpose(CallContext& context, Arguments arguments) {
  const Value lower = lower_triangle(context, arguments[0]);
  return matrix_product(context, lower, transposed(context, lower));
}

Value quad_form(CallContext& context, Arguments arguments) {
  const Value right = matrix_product(context, arguments[0], arguments[1]);
  return matrix_product(context, transposed(context, arguments[1]), right);
}

Value quad_form_sym(CallContext& context, Arguments arguments) {
  const Value both[] = {symmetric_matrix(context, arguments[0]), arguments[1]};
  return quad_form(context, both);
}

Value quad_form_diag(CallContext& context, Arguments arguments) {
  return rows_scaled(context, arguments[1], columns_scaled(context, arguments[0], arguments[1]));
}

Value trace(CallContext& context, Arguments arguments) {
  return scalar_real(context.builder.sum(diagonal(context, arguments).flat(context.builder)));
}

// trace(B' A B)
Value trace_quad_form(CallContext& context, Arguments arguments) {
  const Value form = quad_form(context, arguments);
  return form.is_scalar() ? form : trace(context, std::span(&form, 1));
}

// trace(D B' A B)
Value trace_gen_quad_form(CallContext& context, Arguments arguments) {
  const Value form = quad_form(context, arguments.subspan(1));
  const Value weighted = matrix_product(context, arguments[0], form);
  return trace(context, std::span(&weighted, 1));
}

// trace(A B), computed without the matrix product.
Value trace_dot(CallContext& context, Arguments arguments) {
  require_sizes(context, arguments[0].rows(), arguments[1].columns());
  require_sizes(context, arguments[0].columns(), arguments[1].rows());
  if (arguments[0].size() == 0) return scalar_real(context.builder.constant(0.0));
  const Value other = transposed(context, arguments[1]);
  return scalar_real(
      context.builder.dot(arguments[0].flat(context.builder), other.flat(context.builder)));
}

Value symmetrize_from_lower_tri(CallContext& context, Arguments arguments) {
  const std::int64_t size = square_size(context, arguments[0]);
  MatrixEntries made(context, arguments[0]);
  for (std::int64_t c = 1; c < size; ++c) {
    for (std::int64_t r = 0; r < c; ++r) made(r, c) = made(c, r);
  }
  return made.matrix();
}

template <bool kRows>
Value lines_dot_product(CallContext& context, Arguments arguments) {
  GraphBuilder& builder = context.builder;
  const Value& a = arguments[0];
  const Value& b = arguments.size() == 2 ? arguments[1] : a;
  require_sizes(context, a.rows(), b.rows());
  require_sizes(context, a.columns(), b.columns());
  const std::int64_t count = kRows ? a.rows() : a.columns();
  const std::int32_t length = static_cast<std::int32_t>(kRows ? a.columns() : a.rows());
  const std::int32_t stride = kRows ? static_cast<std::int32_t>(a.rows()) : 1;
  context.spend(a.size() / 8 + 1);
  std::vector<NodeId> dots;
  for (std::int32_t i = 0; i < count; ++i) {
    const std::int32_t begin = kRows ? i : i * length;
    dots.push_back(builder.dot(builder.slice(a.flat(builder), begin, length, stride),
                               builder.slice(b.flat(builder), begin, length, stride)));
  }
  return Value(kRows ? kVectorType : kRowVectorType, {count}, std::move(dots));
}

Value transpose(CallContext& context, Arguments arguments) {
  return transposed(context, arguments[0]);
}

template <Operator kOperator>
Value entry_by_entry(CallContext& context, Arguments arguments) {
  return binary_value(context, kOperator, arguments[0], arguments[1]);
}

constexpr std::string_view kAlike =
    "int int -> int;real real -> real;vector vector -> vector;row_vector row_vector -> row_vector;"
    "matrix matrix -> matrix;vector real -> vector;row_vector real -> row_vector;matrix real -> "
    "matrix;"
    "real vector -> vector;real row_vector -> row_vector;real matrix -> matrix";

constexpr FunctionRow kRows[] = {
    {"transpose", "vector -> row_vector;row_vector -> vector;matrix -> matrix", transpose},
    {"elt_multiply", kAlike, entry_by_entry<Operator::element_multiply>},
    {"elt_divide", kAlike, entry_by_entry<Operator::element_divide>},
    {"diagonal", "matrix -> vector", diagonal},
    {"diag_matrix", "vector -> matrix", diag_matrix},
    {"identity_matrix", "int -> matrix", identity_matrix},
    {"add_diag", "matrix real -> matrix;matrix vector -> matrix;matrix row_vector -> matrix",
     add_diag},
    {"diag_pre_multiply", "vector matrix -> matrix;row_vector matrix -> matrix", diag_pre_multiply},
    {"diag_post_multiply", "matrix vector -> matrix;matrix row_vector -> matrix",
     diag_post_multiply},
    {"tcrossprod", "matrix -> matrix", tcrossprod},
    {"crossprod", "matrix -> matrix", crossprod},
    {"multiply_lower_tri_self_transpose", "matrix -> matrix", multiply_lower_tri_self_transpose},
    {"quad_form", "matrix matrix -> matrix;matrix vector -> real", quad_form},
    {"quad_form_sym", "matrix matrix -> matrix;matrix vector -> real", quad_form_sym},
    {"quad_form_diag", "matrix vector -> matrix;matrix row_vector -> matrix", quad_form_diag},
    {"trace", "matrix -> real", trace},
    {"trace_quad_form", "matrix matrix -> real;matrix vector -> real", trace_quad_form},
    {"trace_dot", "matrix matrix -> real", trace_dot},
    {"trace_gen_quad_form", "matrix matrix matrix -> real", trace_gen_quad_form},
    {"symmetrize_from_lower_tri", "matrix -> matrix", symmetrize_from_lower_tri},
    {"rows_dot_product",
     "matrix matrix -> vector;vector vector -> vector;row_vector row_vector -> vector",
     lines_dot_product<true>},
    {"rows_dot_self", "matrix -> vector;vector -> vector;row_vector -> vector",
     lines_dot_product<true>},
    {"columns_dot_product",
     "matrix matrix -> row_vector;vector vector -> row_vector;row_vector row_vector -> row_vector",
     lines_dot_product<false>},
    {"columns_dot_self", "matrix -> row_vector;vector -> row_vector;row_vector -> row_vector",
     lines_dot_product<false>},
};

}  // namespace

std::span<const FunctionRow> matrix_function_rows() { return kRows; }

}  // namespace dpvi
