#include <cmath>

#include <fmt/format.h>

#include <dpvi/stan/function_table.hpp>
#include <dpvi/stan/operators.hpp>

// Functions of matrices. Decompositions are written out entry by entry and meant for the small
// matrices of covariance parameters.
namespace dpvi {
namespace {

using Arguments = std::span<const Value>;

std::int64_t square_size(const CallContext& context, const Value& matrix) {
  if (matrix.rows() != matrix.columns()) {
    context.fail(fmt::format("A square matrix is needed, this is {}.", shape_text(matrix)));
  }
  return matrix.rows();
}

// A matrix that is filled entry by entry.
class Entries {
 public:
  Entries(CallContext& context, std::int64_t rows, std::int64_t columns)
      : context_(context), rows_(rows), columns_(columns) {
    context.checked_size(rows * columns);
    nodes_.assign(static_cast<std::size_t>(rows * columns), context.builder.constant(0.0));
  }
  Entries(CallContext& context, const Value& matrix)
      : context_(context), rows_(matrix.rows()), columns_(matrix.columns()) {
    nodes_ = matrix.entries(context.builder);
  }
  NodeId& operator()(std::int64_t r, std::int64_t c) {
    context_.spend(1);
    return nodes_[static_cast<std::size_t>(c * rows_ + r)];
  }
  Value matrix() const { return Value(kMatrixType, {rows_, columns_}, nodes_); }
  Value shaped(StanType type, const Dims& dims) const { return Value(type, dims, nodes_); }

 private:
  CallContext& context_;
  std::int64_t rows_;
  std::int64_t columns_;
  std::vector<NodeId> nodes_;
};

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
  Entries made(context, size, size);
  for (std::int64_t i = 0; i < size; ++i) made(i, i) = arguments[0].entry(context.builder, i);
  return made.matrix();
}

Value identity_matrix(CallContext& context, Arguments arguments) {
  const std::int64_t size = context.known_int(arguments[0], "A size");
  context.checked_size(size < 0 ? size : size * std::min<std::int64_t>(size, 1'000'000));
  Entries made(context, size, size);
  for (std::int64_t i = 0; i < size; ++i) made(i, i) = context.builder.constant(1.0);
  return made.matrix();
}

Value add_diag(CallContext& context, Arguments arguments) {
  const Value& added = arguments[1];
  const std::int64_t size = std::min(arguments[0].rows(), arguments[0].columns());
  if (!added.is_scalar() && added.size() != size) context.fail("add_diag: sizes do not fit.");
  Entries made(context, arguments[0]);
  for (std::int64_t i = 0; i < size; ++i) {
    made(i, i) =
        context.builder.add(made(i, i), added.entry(context.builder, added.is_scalar() ? 0 : i));
  }
  return made.matrix();
}

void require_sizes(const CallContext& context, std::int64_t a, std::int64_t b) {
  if (a != b) context.fail(fmt::format("{}: sizes {} and {} do not fit.", context.function, a, b));
}

// Each row r times scale[r].
Value rows_scaled(CallContext& context, const Value& scale, const Value& matrix) {
  require_sizes(context, scale.size(), matrix.rows());
  GraphBuilder& builder = context.builder;
  if (matrix.size() == 0) return matrix;
  std::vector<NodeId> columns(static_cast<std::size_t>(matrix.columns()), scale.flat(builder));
  context.spend(matrix.size() / 8 + 1);
  return Value(kMatrixType, matrix.dims(),
               builder.mul(builder.pack(columns), matrix.flat(builder)));
}

// Each column c times scale[c].
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
  Entries made(context, matrix);
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

Value quad_form_diag(CallContext& context, Arguments arguments) {
  return rows_scaled(context, arguments[1], columns_scaled(context, arguments[0], arguments[1]));
}

Value trace(CallContext& context, Arguments arguments) {
  return scalar_real(context.builder.sum(diagonal(context, arguments).flat(context.builder)));
}

// L with L L' = A; NaN where A is not positive definite.
Value cholesky(CallContext& context, const Value& matrix) {
  GraphBuilder& builder = context.builder;
  const std::int64_t size = square_size(context, matrix);
  context.spend(size * size * size / 6);
  Entries a(context, matrix);
  Entries lower(context, size, size);
  for (std::int64_t c = 0; c < size; ++c) {
    for (std::int64_t r = c; r < size; ++r) {
      NodeId rest = a(r, c);
      for (std::int64_t k = 0; k < c; ++k) {
        rest = builder.sub(rest, builder.mul(lower(r, k), lower(c, k)));
      }
      lower(r, c) = r == c ? builder.unary(Op::sqrt, rest) : builder.div(rest, lower(c, c));
    }
  }
  return lower.matrix();
}

Value cholesky_decompose(CallContext& context, Arguments arguments) {
  return cholesky(context, arguments[0]);
}

// x with L x = b for lower triangular L.
Value forward_substitution(CallContext& context, const Value& lower, const Value& right) {
  GraphBuilder& builder = context.builder;
  const std::int64_t size = square_size(context, lower);
  require_sizes(context, size, right.rows());
  context.spend(size * size * right.columns() / 2);
  Entries a(context, lower);
  Entries x(context, right);
  for (std::int64_t c = 0; c < right.columns(); ++c) {
    for (std::int64_t r = 0; r < size; ++r) {
      NodeId rest = x(r, c);
      for (std::int64_t k = 0; k < r; ++k) rest = builder.sub(rest, builder.mul(a(r, k), x(k, c)));
      x(r, c) = builder.div(rest, a(r, r));
    }
  }
  return x.shaped(right.type(), right.dims());
}

// x with L' x = b for lower triangular L.
Value backward_substitution(CallContext& context, const Value& lower, const Value& right) {
  GraphBuilder& builder = context.builder;
  const std::int64_t size = square_size(context, lower);
  require_sizes(context, size, right.rows());
  context.spend(size * size * right.columns() / 2);
  Entries a(context, lower);
  Entries x(context, right);
  for (std::int64_t c = 0; c < right.columns(); ++c) {
    for (std::int64_t r = size; r-- > 0;) {
      NodeId rest = x(r, c);
      for (std::int64_t k = r + 1; k < size; ++k) {
        rest = builder.sub(rest, builder.mul(a(k, r), x(k, c)));
      }
      x(r, c) = builder.div(rest, a(r, r));
    }
  }
  return x.shaped(right.type(), right.dims());
}

Value mdivide_left_tri_low(CallContext& context, Arguments arguments) {
  return forward_substitution(context, arguments[0], arguments[1]);
}

Value mdivide_left_spd(CallContext& context, Arguments arguments) {
  const Value lower = cholesky(context, arguments[0]);
  return backward_substitution(context, lower, forward_substitution(context, lower, arguments[1]));
}

Value identity_of(CallContext& context, std::int64_t size) {
  const Value count = Value::constant_int(context.builder, size);
  return identity_matrix(context, std::span(&count, 1));
}

Value inverse_spd(CallContext& context, Arguments arguments) {
  const Value both[] = {arguments[0], identity_of(context, square_size(context, arguments[0]))};
  return mdivide_left_spd(context, both);
}

Value chol2inv(CallContext& context, Arguments arguments) {
  const Value identity = identity_of(context, square_size(context, arguments[0]));
  return backward_substitution(context, arguments[0],
                               forward_substitution(context, arguments[0], identity));
}

struct Elimination {
  Value solution;
  NodeId determinant;
};

// Gauss-Jordan elimination. Rows are exchanged where the pivots are known; with unknown pivots the
// order stays, which is exact but loses digits where a leading minor is close to singular.
Elimination eliminate(CallContext& context, const Value& matrix, const Value& right) {
  GraphBuilder& builder = context.builder;
  const std::int64_t size = square_size(context, matrix);
  require_sizes(context, size, right.rows());
  context.spend(size * size * (size + right.columns()));
  Entries a(context, matrix);
  Entries x(context, right);
  NodeId determinant = builder.constant(1.0);
  for (std::int64_t p = 0; p < size; ++p) {
    std::int64_t best = p;
    for (std::int64_t r = p + 1; r < size; ++r) {
      if (!builder.is_constant(a(r, p)) || !builder.is_constant(a(best, p))) break;
      const auto magnitude = [&](NodeId node) { return std::abs(builder.graph()[node].values[0]); };
      if (magnitude(a(r, p)) > magnitude(a(best, p))) best = r;
    }
    if (best != p) {
      determinant = builder.neg(determinant);
      for (std::int64_t c = 0; c < size; ++c) std::swap(a(p, c), a(best, c));
      for (std::int64_t c = 0; c < right.columns(); ++c) std::swap(x(p, c), x(best, c));
    }
    const NodeId pivot = a(p, p);
    determinant = builder.mul(determinant, pivot);
    for (std::int64_t c = p; c < size; ++c) a(p, c) = builder.div(a(p, c), pivot);
    for (std::int64_t c = 0; c < right.columns(); ++c) x(p, c) = builder.div(x(p, c), pivot);
    for (std::int64_t r = 0; r < size; ++r) {
      if (r == p) continue;
      const NodeId factor = a(r, p);
      for (std::int64_t c = p; c < size; ++c) {
        a(r, c) = builder.sub(a(r, c), builder.mul(factor, a(p, c)));
      }
      for (std::int64_t c = 0; c < right.columns(); ++c) {
        x(r, c) = builder.sub(x(r, c), builder.mul(factor, x(p, c)));
      }
    }
  }
  return {x.shaped(right.type(), right.dims()), determinant};
}

Value inverse(CallContext& context, Arguments arguments) {
  const Value identity = identity_of(context, square_size(context, arguments[0]));
  return eliminate(context, arguments[0], identity).solution;
}

Value determinant(CallContext& context, Arguments arguments) {
  const Value nothing(kMatrixType, {arguments[0].rows(), 0},
                      context.builder.constant(std::span<const double>()));
  return scalar_real(eliminate(context, arguments[0], nothing).determinant);
}

Value log_determinant(CallContext& context, Arguments arguments) {
  const Value value = determinant(context, arguments);
  return elementwise(context, Op::log, elementwise(context, Op::fabs, value));
}

Value log_determinant_spd(CallContext& context, Arguments arguments) {
  const Value lower = cholesky(context, arguments[0]);
  const Value logs = elementwise(context, Op::log, diagonal(context, std::span(&lower, 1)));
  GraphBuilder& builder = context.builder;
  return scalar_real(builder.mul(builder.constant(2.0), builder.sum(logs.flat(builder))));
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

template <Op kOp>
Value entry_by_entry(CallContext& context, Arguments arguments) {
  return elementwise(context, kOp, arguments[0], arguments[1]);
}

constexpr std::string_view kAlike =
    "vector vector -> vector;row_vector row_vector -> row_vector;matrix matrix -> matrix;"
    "vector real -> vector;row_vector real -> row_vector;matrix real -> matrix;"
    "real vector -> vector;real row_vector -> row_vector;real matrix -> matrix";

constexpr FunctionRow kRows[] = {
    {"transpose", "vector -> row_vector;row_vector -> vector;matrix -> matrix", transpose},
    {"elt_multiply", kAlike, entry_by_entry<Op::mul>},
    {"elt_divide", kAlike, entry_by_entry<Op::div>},
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
    {"quad_form_sym", "matrix matrix -> matrix;matrix vector -> real", quad_form},
    {"quad_form_diag", "matrix vector -> matrix;matrix row_vector -> matrix", quad_form_diag},
    {"trace", "matrix -> real", trace},
    {"cholesky_decompose", "matrix -> matrix", cholesky_decompose},
    {"mdivide_left_tri_low", "matrix vector -> vector;matrix matrix -> matrix",
     mdivide_left_tri_low},
    {"mdivide_left_spd", "matrix vector -> vector;matrix matrix -> matrix", mdivide_left_spd},
    {"inverse", "matrix -> matrix", inverse},
    {"inverse_spd", "matrix -> matrix", inverse_spd},
    {"chol2inv", "matrix -> matrix", chol2inv},
    {"determinant", "matrix -> real", determinant},
    {"log_determinant", "matrix -> real", log_determinant},
    {"log_determinant_spd", "matrix -> real", log_determinant_spd},
    {"rows_dot_product", "matrix matrix -> vector", lines_dot_product<true>},
    {"rows_dot_self", "matrix -> vector", lines_dot_product<true>},
    {"columns_dot_product", "matrix matrix -> row_vector", lines_dot_product<false>},
    {"columns_dot_self", "matrix -> row_vector", lines_dot_product<false>},
};

}  // namespace

Value left_division(CallContext& context, const Value& left, const Value& right) {
  return eliminate(context, left, right).solution;
}

Value right_division(CallContext& context, const Value& left, const Value& right) {
  const Value solution =
      eliminate(context, transposed(context, right), transposed(context, left)).solution;
  return transposed(context, solution);
}

std::span<const FunctionRow> matrix_function_rows() { return kRows; }

}  // namespace dpvi
