#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

// All factorisations are compiled in one file because each takes seconds to compile.
namespace dpvi {

// Conversions from and to matrices stored row by row.
Eigen::MatrixXd matrix_of(std::span<const double> rows, std::size_t row_count);
Eigen::MatrixXd square_matrix(std::span<const double> rows);
std::vector<double> rows_of(const Eigen::MatrixXd& matrix);

// Returns the lower triangular Cholesky factor. Returns nullopt if the matrix is not positive
// definite or its reciprocal condition number is below `least_condition`.
std::optional<Eigen::MatrixXd> cholesky_factor(const Eigen::MatrixXd& symmetric,
                                               double least_condition = 0.0);

// Eigenvalues of a symmetric matrix in increasing order, with eigenvectors as columns.
struct Spectrum {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
Spectrum spectrum_of(const Eigen::MatrixXd& symmetric);

// Moore-Penrose inverse of a symmetric matrix.
Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& symmetric);

// Replaces eigenvalues by their absolute values, bounded below by a small share of the largest.
Eigen::MatrixXd made_positive(const Eigen::MatrixXd& symmetric);

// Returns B with `columns` columns such that B B' is closest to a symmetric matrix.
Eigen::MatrixXd leading_columns(const Eigen::MatrixXd& symmetric, Eigen::Index columns);

// Solves a positive definite system.
Eigen::VectorXd solve_positive(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& right);

}  // namespace dpvi
