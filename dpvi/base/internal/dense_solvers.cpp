#include <dpvi/base/internal/dense_solvers.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace dpvi {

using Eigen::MatrixXd;
using Eigen::VectorXd;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

MatrixXd matrix_of(std::span<const double> rows, std::size_t row_count) {
  const auto height = static_cast<Eigen::Index>(row_count);
  return RowMajor::Map(rows.data(), height, std::ssize(rows) / height);
}

MatrixXd square_matrix(std::span<const double> rows) {
  return matrix_of(
      rows, static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(rows.size())))));
}

std::vector<double> rows_of(const MatrixXd& matrix) {
  const RowMajor rows = matrix;
  return {rows.data(), rows.data() + rows.size()};
}

std::optional<MatrixXd> cholesky_factor(const MatrixXd& symmetric, double least_condition) {
  const Eigen::LLT<MatrixXd> solver(symmetric);
  if (solver.info() != Eigen::Success || !(solver.rcond() >= least_condition)) return std::nullopt;
  return solver.matrixL();
}

Spectrum spectrum_of(const MatrixXd& symmetric) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(symmetric);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

MatrixXd pseudo_inverse(const MatrixXd& symmetric) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(symmetric);
  const VectorXd values = solver.eigenvalues();
  const double floor = 1e-13 * values.cwiseAbs().maxCoeff();
  const VectorXd inverse =
      (values.array().abs() > floor).select(values.array().inverse(), 0.0).matrix();
  return solver.eigenvectors() * inverse.asDiagonal() * solver.eigenvectors().transpose();
}

MatrixXd made_positive(const MatrixXd& symmetric) {
  if (!symmetric.allFinite()) return MatrixXd::Identity(symmetric.rows(), symmetric.cols());
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(symmetric);
  const VectorXd sizes = solver.eigenvalues().cwiseAbs();
  const double floor = std::max(1e-10 * sizes.maxCoeff(), 1e-12);
  return solver.eigenvectors() * sizes.cwiseMax(floor).asDiagonal() *
         solver.eigenvectors().transpose();
}

MatrixXd leading_columns(const MatrixXd& symmetric, Eigen::Index columns) {
  if (!symmetric.allFinite()) return MatrixXd::Zero(symmetric.rows(), columns);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(symmetric);  // ascending eigenvalues
  const VectorXd roots = solver.eigenvalues().tail(columns).cwiseMax(0.0).cwiseSqrt();
  return solver.eigenvectors().rightCols(columns) * roots.asDiagonal();
}

VectorXd solve_positive(const MatrixXd& matrix, const VectorXd& right) {
  return matrix.ldlt().solve(right);
}

}  // namespace dpvi
