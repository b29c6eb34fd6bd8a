#include <dpvi/model/gauss_hermite.hpp>

#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>

namespace dpvi {

// Golub and Welsch (1969): the nodes are the eigenvalues of the recurrence's Jacobi matrix, and a
// weight is sqrt(pi) times the square of an eigenvector's first entry.
GaussHermite gauss_hermite(int count) {
  Eigen::VectorXd diagonal = Eigen::VectorXd::Zero(count);
  Eigen::VectorXd beside(count - 1);
  for (int i = 1; i < count; ++i) beside[i - 1] = std::sqrt(0.5 * i);
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal, beside);
  GaussHermite rule;
  for (int i = 0; i < count; ++i) {
    const int mirror = count - 1 - i;
    const double node = 0.5 * (solver.eigenvalues()[i] - solver.eigenvalues()[mirror]);
    const double share = std::abs(solver.eigenvectors()(0, i) * solver.eigenvectors()(0, mirror));
    rule.nodes.push_back(node);
    rule.log_weights.push_back(std::log(share) + 0.5 * std::log(std::numbers::pi));
  }
  return rule;
}

}  // namespace dpvi
