#pragma once

#include <vector>

#include <dpvi/stan/value/operators.hpp>

namespace dpvi {

// Fails unless the matrix is square; returns its size.
std::int64_t square_size(const CallContext& context, const Value& matrix);
void require_sizes(const CallContext& context, std::int64_t a, std::int64_t b);
Value identity_of(CallContext& context, std::int64_t size);

// A matrix that is filled entry by entry.
class MatrixEntries {
 public:
  MatrixEntries(CallContext& context, std::int64_t rows, std::int64_t columns)
      : context_(context), rows_(rows), columns_(columns) {
    context.checked_size(rows * columns);
    nodes_.assign(static_cast<std::size_t>(rows * columns), context.builder.constant(0.0));
  }
  MatrixEntries(CallContext& context, const Value& matrix)
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

// Returns the matrix. Fails, as Stan does, if it is known to be asymmetric; otherwise its diagonal
// becomes NaN wherever it turns out to be asymmetric.
Value symmetric_matrix(CallContext& context, const Value& matrix);

// The Cholesky factor L with L L' = A; NaN if A is not positive definite or not symmetric.
Value cholesky_of(CallContext& context, const Value& matrix);

}  // namespace dpvi
