#pragma once

#include <vector>

#include <dpvi/model/expression_functions.hpp>
#include <dpvi/model/function_registry.hpp>

namespace dpvi {

// A small matrix split into scalar nodes, for algorithms that work entry by entry. The graph of
// such an algorithm grows with the cube of the matrix size. The class is therefore meant for
// covariance matrices of a few dimensions.
class EntryMatrix {
 public:
  // A matrix of zeros.
  EntryMatrix(GraphBuilder& builder, std::int32_t rows, std::int32_t columns);
  // The entries of a flat node, in column-major order.
  EntryMatrix(Expression flat, std::int32_t rows, std::int32_t columns);
  EntryMatrix(GraphBuilder& builder, const ShapedNode& matrix)
      : EntryMatrix(Expression{&builder, matrix.node}, matrix.rows, matrix.columns) {}

  std::int32_t rows() const { return rows_; }
  std::int32_t columns() const { return columns_; }
  GraphBuilder& builder() const { return *builder_; }
  Expression& operator()(std::int32_t row, std::int32_t column);
  const Expression& operator()(std::int32_t row, std::int32_t column) const;

  // The entries as one flat node, in column-major order.
  Expression flat() const;
  // Entries first .. first + count - 1 of a row or of a column, as one vector.
  Expression row_part(std::int32_t row, std::int32_t first, std::int32_t count) const;
  Expression column_part(std::int32_t column, std::int32_t first, std::int32_t count) const;
  Expression diagonal() const;

 private:
  GraphBuilder* builder_;
  std::int32_t rows_;
  std::int32_t columns_;
  std::vector<Expression> entries_;
};

// L L' for a lower triangular L. The result is exactly symmetric.
EntryMatrix times_own_transpose(const EntryMatrix& lower);

// The Cholesky factor of a symmetric matrix. Only the lower triangle is read. Some entries are NaN
// if the matrix is not positive definite.
EntryMatrix cholesky(const EntryMatrix& symmetric);

// The inverse of a lower triangular matrix. Entries above the diagonal are not read.
EntryMatrix inverse_of_lower(const EntryMatrix& lower);

// 1 if the matrix is symmetric: opposite entries differ by at most rule_tolerance().
Expression is_symmetric(const EntryMatrix& matrix);

// 1 if all entries above the diagonal are zero.
Expression is_lower_triangular(const EntryMatrix& matrix);

// 1 if the diagonal is positive and all entries above it are zero.
Expression is_cholesky_factor(const EntryMatrix& factor);

// Returns the matrix, with NaN on its diagonal if the rule fails. The NaN then spreads through
// cholesky() and inverse_of_lower().
EntryMatrix required_matrix(const EntryMatrix& matrix, Expression rule);

}  // namespace dpvi
