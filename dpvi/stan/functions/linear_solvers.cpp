#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <dpvi/model/entry_matrix.hpp>
#include <dpvi/stan/types/function_table.hpp>
#include <dpvi/stan/value/matrix_entries.hpp>

// Decompositions, inverses, determinants and linear equations, expanded entry by entry. Meant for
// small covariance matrices.
namespace dpvi {

std::int64_t square_size(const CallContext& context, const Value& matrix) {
  if (matrix.rows() != matrix.columns()) {
    context.fail(fmt::format("A square matrix is needed; this is {}.", shape_text(matrix)));
  }
  return matrix.rows();
}

void require_sizes(const CallContext& context, std::int64_t a, std::int64_t b) {
  if (a != b)
    context.fail(fmt::format("{}: sizes {} and {} do not match.", context.function, a, b));
}

Value identity_of(CallContext& context, std::int64_t size) {
  context.checked_size(size < 0 ? size : size * std::min<std::int64_t>(size, 1'000'000));
  MatrixEntries made(context, size, size);
  for (std::int64_t i = 0; i < size; ++i) made(i, i) = context.builder.constant(1.0);
  return made.matrix();
}

namespace {

// Returns the matrix if it satisfies `rule`. If it does not, Stan throws: a known matrix fails
// here, any other gets NaN on its diagonal.
Value kept_matrix(CallContext& context, const Value& matrix, Expression (*rule)(const EntryMatrix&),
                  std::string_view adjective) {
  GraphBuilder& builder = context.builder;
  const auto size = static_cast<std::int32_t>(square_size(context, matrix));
  context.spend(matrix.size());
  const EntryMatrix entries({&builder, matrix.flat(builder)}, size, size);
  const Expression keeps = rule(entries);
  if (const double* known = builder.constant_value(keeps.id)) {
    if (*known != 0) return matrix;
    context.fail(fmt::format("{} needs a {} matrix.", context.function, adjective));
  }
  return Value(kMatrixType, matrix.dims(), required_matrix(entries, keeps).flat().id);
}

}  // namespace

Value symmetric_matrix(CallContext& context, const Value& matrix) {
  return kept_matrix(context, matrix, is_symmetric, "symmetric");
}

Value cholesky_of(CallContext& context, const Value& given) {
  GraphBuilder& builder = context.builder;
  const Value matrix = symmetric_matrix(context, given);
  const std::int64_t size = matrix.rows();
  const NodeId nan = builder.constant(std::numeric_limits<double>::quiet_NaN());
  context.spend(size * size * size / 6);
  MatrixEntries a(context, matrix);
  MatrixEntries lower(context, size, size);
  for (std::int64_t c = 0; c < size; ++c) {
    for (std::int64_t r = c; r < size; ++r) {
      NodeId rest = a(r, c);
      for (std::int64_t k = 0; k < c; ++k) {
        rest = builder.sub(rest, builder.mul(lower(r, k), lower(c, k)));
      }
      if (r > c) {
        lower(r, c) = builder.div(rest, lower(c, c));
        continue;
      }
      const NodeId positive = builder.binary(Op::lt, builder.constant(0.0), rest);
      lower(c, c) = builder.unary(Op::sqrt, builder.select(positive, rest, nan));
    }
  }
  return lower.matrix();
}

namespace {

using Arguments = std::span<const Value>;

Value scalar_real(NodeId node) { return Value::scalar(kRealType, node); }

Value cholesky_decompose(CallContext& context, Arguments arguments) {
  return cholesky_of(context, arguments[0]);
}

enum class Side { lower, transposed };

// Solves L x = b or L' x = b for lower triangular L.
Value triangular_solution(CallContext& context, const Value& lower, const Value& right, Side side) {
  GraphBuilder& builder = context.builder;
  const std::int64_t size = square_size(context, lower);
  require_sizes(context, size, right.rows());
  context.spend(size * size * right.columns() / 2);
  MatrixEntries a(context, lower);
  MatrixEntries x(context, right);
  const bool forward = side == Side::lower;
  for (std::int64_t c = 0; c < right.columns(); ++c) {
    for (std::int64_t i = 0; i < size; ++i) {
      const std::int64_t r = forward ? i : size - 1 - i;
      NodeId rest = x(r, c);
      for (std::int64_t k = forward ? 0 : r + 1; k < (forward ? r : size); ++k) {
        rest = builder.sub(rest, builder.mul(forward ? a(r, k) : a(k, r), x(k, c)));
      }
      x(r, c) = builder.div(rest, a(r, r));
    }
  }
  return x.shaped(right.type(), right.dims());
}

Value forward_substitution(CallContext& context, const Value& lower, const Value& right) {
  return triangular_solution(context, lower, right, Side::lower);
}

Value backward_substitution(CallContext& context, const Value& lower, const Value& right) {
  return triangular_solution(context, lower, right, Side::transposed);
}

Value mdivide_left_tri_low(CallContext& context, Arguments arguments) {
  return forward_substitution(context, arguments[0], arguments[1]);
}

Value mdivide_left_spd(CallContext& context, Arguments arguments) {
  const Value lower = cholesky_of(context, arguments[0]);
  return backward_substitution(context, lower, forward_substitution(context, lower, arguments[1]));
}

Value inverse_spd(CallContext& context, Arguments arguments) {
  const Value both[] = {arguments[0], identity_of(context, square_size(context, arguments[0]))};
  return mdivide_left_spd(context, both);
}

Value chol2inv(CallContext& context, Arguments arguments) {
  const Value lower = kept_matrix(context, arguments[0], is_lower_triangular, "lower triangular");
  const Value identity = identity_of(context, lower.rows());
  return backward_substitution(context, lower, forward_substitution(context, lower, identity));
}

struct Elimination {
  Value solution;
  NodeId determinant;
};

// Gauss-Jordan elimination of a x = b with partial pivoting. If the entries are not known, rows are
// swapped under a mask, so that one graph is valid for every pivot order.
class Eliminator {
 public:
  Eliminator(CallContext& context, const Value& matrix, const Value& right)
      : builder_(context.builder),
        size_(square_size(context, matrix)),
        columns_(right.columns()),
        a_(context, matrix),
        x_(context, right),
        determinant_(context.builder.constant(1.0)) {
    require_sizes(context, size_, right.rows());
    context.spend(size_ * size_ * (size_ + columns_));
  }

  void run() {
    for (std::int64_t p = 0; p < size_; ++p) {
      for (std::int64_t r = p + 1; r < size_; ++r) order_rows(p, r);
      const NodeId pivot = a_(p, p);
      determinant_ = builder_.mul(determinant_, pivot);
      for (std::int64_t c = p; c < size_; ++c) a_(p, c) = builder_.div(a_(p, c), pivot);
      for (std::int64_t c = 0; c < columns_; ++c) x_(p, c) = builder_.div(x_(p, c), pivot);
      for (std::int64_t r = 0; r < size_; ++r) {
        if (r != p) subtract_row(p, r);
      }
    }
  }

  Elimination result(const Value& right) const {
    return {x_.shaped(right.type(), right.dims()), determinant_};
  }

 private:
  // Swaps rows p and r if row r has the larger entry in column p.
  void order_rows(std::int64_t p, std::int64_t r) {
    const NodeId larger = builder_.binary(Op::lt, builder_.unary(Op::fabs, a_(p, p)),
                                          builder_.unary(Op::fabs, a_(r, p)));
    determinant_ = builder_.select(larger, builder_.neg(determinant_), determinant_);
    for (std::int64_t c = p; c < size_; ++c) exchange(larger, a_(p, c), a_(r, c));
    for (std::int64_t c = 0; c < columns_; ++c) exchange(larger, x_(p, c), x_(r, c));
  }

  void exchange(NodeId mask, NodeId& first, NodeId& second) {
    const NodeId old = first;
    first = builder_.select(mask, second, old);
    second = builder_.select(mask, old, second);
  }

  void subtract_row(std::int64_t p, std::int64_t r) {
    const NodeId factor = a_(r, p);
    for (std::int64_t c = p; c < size_; ++c) {
      a_(r, c) = builder_.sub(a_(r, c), builder_.mul(factor, a_(p, c)));
    }
    for (std::int64_t c = 0; c < columns_; ++c) {
      x_(r, c) = builder_.sub(x_(r, c), builder_.mul(factor, x_(p, c)));
    }
  }

  GraphBuilder& builder_;
  std::int64_t size_;
  std::int64_t columns_;
  MatrixEntries a_;
  MatrixEntries x_;
  NodeId determinant_;
};

Elimination eliminate(CallContext& context, const Value& matrix, const Value& right) {
  Eliminator eliminator(context, matrix, right);
  eliminator.run();
  return eliminator.result(right);
}

// Solves x A = b by a function that solves A' x' = b'.
Value from_the_right(CallContext& context, BuiltinFunction solve, const Value& left,
                     const Value& matrix) {
  const Value turned[] = {transposed(context, matrix), transposed(context, left)};
  return transposed(context, solve(context, std::span<const Value>(turned)));
}

Value mdivide_right_spd(CallContext& context, Arguments arguments) {
  return from_the_right(context, mdivide_left_spd, arguments[0], arguments[1]);
}

// Solves x L = b as L' x' = b'.
Value mdivide_right_tri_low(CallContext& context, Arguments arguments) {
  const Value right = transposed(context, arguments[0]);
  return transposed(context, backward_substitution(context, arguments[1], right));
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
  GraphBuilder& builder = context.builder;
  const Value lower = cholesky_of(context, arguments[0]);
  NodeId total = builder.constant(0.0);
  for (std::int64_t i = 0; i < lower.rows(); ++i) {
    total = builder.add(total, builder.log(lower.entry(builder, i * lower.rows() + i)));
  }
  return scalar_real(builder.mul(builder.constant(2.0), total));
}

Value solved(CallContext& context, Arguments arguments) {
  return eliminate(context, arguments[0], arguments[1]).solution;
}

constexpr FunctionRow kRows[] = {
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
    {"mdivide_right_tri_low", "row_vector matrix -> row_vector;matrix matrix -> matrix",
     mdivide_right_tri_low},
    {"mdivide_right_spd", "row_vector matrix -> row_vector;matrix matrix -> matrix",
     mdivide_right_spd},
};

}  // namespace

Value left_division(CallContext& context, const Value& left, const Value& right) {
  return eliminate(context, left, right).solution;
}

Value right_division(CallContext& context, const Value& left, const Value& right) {
  return from_the_right(context, solved, left, right);
}

std::span<const FunctionRow> matrix_solving_rows() { return kRows; }

}  // namespace dpvi
