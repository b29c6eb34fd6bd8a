#include <dpvi/model/entry_matrix.hpp>

#include <algorithm>

#include <dpvi/tape/graph/entries.hpp>

namespace dpvi {

EntryMatrix::EntryMatrix(GraphBuilder& builder, std::int32_t rows, std::int32_t columns)
    : builder_(&builder),
      rows_(rows),
      columns_(columns),
      entries_(static_cast<std::size_t>(rows * columns), constant(builder, 0.0)) {}

EntryMatrix::EntryMatrix(Expression flat, std::int32_t rows, std::int32_t columns)
    : EntryMatrix(*flat.builder, rows, columns) {
  const std::vector<NodeId> nodes = entries_of(*flat.builder, flat.id);
  for (std::size_t i = 0; i < nodes.size(); ++i) entries_[i] = flat.with(nodes[i]);
}

Expression& EntryMatrix::operator()(std::int32_t row, std::int32_t column) {
  return entries_[static_cast<std::size_t>(column * rows_ + row)];
}

const Expression& EntryMatrix::operator()(std::int32_t row, std::int32_t column) const {
  return entries_[static_cast<std::size_t>(column * rows_ + row)];
}

Expression EntryMatrix::flat() const { return pack(*builder_, entries_); }

Expression EntryMatrix::row_part(std::int32_t row, std::int32_t first, std::int32_t count) const {
  std::vector<Expression> part;
  for (std::int32_t j = first; j < first + count; ++j) part.push_back((*this)(row, j));
  return pack(*builder_, part);
}

Expression EntryMatrix::column_part(std::int32_t column, std::int32_t first,
                                    std::int32_t count) const {
  std::vector<Expression> part;
  for (std::int32_t i = first; i < first + count; ++i) part.push_back((*this)(i, column));
  return pack(*builder_, part);
}

Expression EntryMatrix::diagonal() const {
  std::vector<Expression> part;
  for (std::int32_t i = 0; i < std::min(rows_, columns_); ++i) part.push_back((*this)(i, i));
  return pack(*builder_, part);
}

EntryMatrix times_own_transpose(const EntryMatrix& lower) {
  EntryMatrix product(lower.builder(), lower.rows(), lower.rows());
  for (std::int32_t i = 0; i < lower.rows(); ++i) {
    for (std::int32_t j = 0; j <= i; ++j) {
      const std::int32_t count = std::min(j + 1, lower.columns());
      product(i, j) = dot(lower.row_part(i, 0, count), lower.row_part(j, 0, count));
      product(j, i) = product(i, j);
    }
  }
  return product;
}

EntryMatrix cholesky(const EntryMatrix& symmetric) {
  EntryMatrix lower(symmetric.builder(), symmetric.rows(), symmetric.rows());
  for (std::int32_t j = 0; j < symmetric.rows(); ++j) {
    for (std::int32_t i = j; i < symmetric.rows(); ++i) {
      Expression rest = symmetric(i, j);
      if (j > 0) rest = rest - dot(lower.row_part(i, 0, j), lower.row_part(j, 0, j));
      lower(i, j) = i == j ? sqrt(where(positive(rest), rest)) : rest / lower(j, j);
    }
  }
  return lower;
}

EntryMatrix inverse_of_lower(const EntryMatrix& lower) {
  EntryMatrix inverse(lower.builder(), lower.rows(), lower.rows());
  for (std::int32_t j = 0; j < lower.rows(); ++j) {
    inverse(j, j) = inv(lower(j, j));
    for (std::int32_t i = j + 1; i < lower.rows(); ++i) {
      const Expression above = dot(lower.row_part(i, j, i - j), inverse.column_part(j, j, i - j));
      inverse(i, j) = -(above * inv(lower(i, i)));
    }
  }
  return inverse;
}

Expression is_symmetric(const EntryMatrix& matrix) {
  std::vector<Expression> differences = {constant(matrix.builder(), 0.0)};
  for (std::int32_t j = 0; j < matrix.columns(); ++j) {
    for (std::int32_t i = j + 1; i < matrix.rows(); ++i) {
      if (matrix(i, j).id != matrix(j, i).id) differences.push_back(matrix(i, j) - matrix(j, i));
    }
  }
  const Expression apart = fabs(pack(matrix.builder(), differences));
  return all(apart <= rule_tolerance(apart));
}

Expression is_lower_triangular(const EntryMatrix& matrix) {
  Expression valid = constant(matrix.builder(), 1.0);
  for (std::int32_t j = 1; j < matrix.columns(); ++j) {
    const std::int32_t above = std::min(j, matrix.rows());
    valid = valid && all(equal(matrix.column_part(j, 0, above), 0.0));
  }
  return valid;
}

Expression is_cholesky_factor(const EntryMatrix& factor) {
  return all(positive(factor.diagonal())) && is_lower_triangular(factor);
}

EntryMatrix required_matrix(const EntryMatrix& matrix, Expression rule) {
  EntryMatrix checked = matrix;
  for (std::int32_t i = 0; i < std::min(matrix.rows(), matrix.columns()); ++i) {
    checked(i, i) = where(rule, matrix(i, i));
  }
  return checked;
}

}  // namespace dpvi
