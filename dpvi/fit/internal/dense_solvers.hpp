#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

// Factorisations are compiled in one file: each of them costs seconds of compile time.
namespace dpvi {

// From and to matrices stored row by row.
Eigen::MatrixXd matrix_of(std::span<const double> rows, std::size_t row_count);
Eigen::MatrixXd square_matrix(std::span<const double> rows);
std::vector<double> rows_of(const Eigen::MatrixXd& matrix);

// Lower triangular, times its transpose the matrix; none if that is not positive definite, or its
// reciprocal condition is below `least_condition`.
std::optional<Eigen::MatrixXd> cholesky_factor(const Eigen::MatrixXd& symmetric,
                                               double least_condition = 0.0);

// Eigenvalues, increasing, and their vectors in columns, of a symmetric matrix.
struct Spectrum {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
Spectrum spectrum_of(const Eigen::MatrixXd& symmetric);

// Moore and Penrose's, of a symmetric matrix.
Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& symmetric);

// Eigenvalues replaced by their sizes, and at least a small share of the largest.
Eigen::MatrixXd made_positive(const Eigen::MatrixXd& symmetric);

// B such that B B' is closest to a symmetric matrix, with that many columns.
Eigen::MatrixXd leading_columns(const Eigen::MatrixXd& symmetric, Eigen::Index columns);

// Of a positive definite system.
Eigen::VectorXd solve_positive(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& right);

}  // namespace dpvi
