#pragma once

#include <vector>

#include <dpvi/model/formula.hpp>
#include <dpvi/model/function_registry.hpp>

namespace dpvi {

// A small matrix taken apart into scalar nodes, for algorithms that go entry by entry. Their graph
// grows with the cube of the size, so it is meant for the covariance matrices of a few dimensions
// that models have.
class EntryMatrix {
 public:
  // All zeros.
  EntryMatrix(GraphBuilder& builder, std::int32_t rows, std::int32_t columns);
  // The entries of a flat node, column by column.
  EntryMatrix(Expression flat, std::int32_t rows, std::int32_t columns);
  EntryMatrix(GraphBuilder& builder, const ShapedNode& matrix)
      : EntryMatrix(Expression{&builder, matrix.node}, matrix.rows, matrix.columns) {}

  std::int32_t rows() const { return rows_; }
  std::int32_t columns() const { return columns_; }
  GraphBuilder& builder() const { return *builder_; }
  Expression& operator()(std::int32_t row, std::int32_t column);
  const Expression& operator()(std::int32_t row, std::int32_t column) const;

  // One flat node again, column by column.
  Expression flat() const;
  // Entries first .. first + count - 1 of a row, and of a column, as one vector.
  Expression row_part(std::int32_t row, std::int32_t first, std::int32_t count) const;
  Expression column_part(std::int32_t column, std::int32_t first, std::int32_t count) const;
  Expression diagonal() const;

 private:
  GraphBuilder* builder_;
  std::int32_t rows_;
  std::int32_t columns_;
  std::vector<Expression> entries_;
};

// L L' of a lower triangular L, symmetric to the last bit.
EntryMatrix times_own_transpose(const EntryMatrix& lower);

// The Cholesky factor of a symmetric matrix, of which only the lower half is read. Where the
// matrix is not positive definite, some entries are NaN.
EntryMatrix cholesky(const EntryMatrix& symmetric);

// The inverse of a lower triangular matrix; what stands above the diagonal is not read.
EntryMatrix inverse_of_lower(const EntryMatrix& lower);

// 1 where the matrix is symmetric as Stan asks for it: opposite entries within 1e-8.
Expression is_symmetric(const EntryMatrix& matrix);

// 1 where the matrix has zeros above its diagonal.
Expression is_lower_triangular(const EntryMatrix& matrix);

// 1 where the matrix has zeros above a positive diagonal.
Expression is_cholesky_factor(const EntryMatrix& factor);

// The matrix where the rule holds. Elsewhere its diagonal is NaN, and so is what is computed from
// it by cholesky() or inverse_of_lower().
EntryMatrix required_matrix(const EntryMatrix& matrix, Expression rule);

}  // namespace dpvi
