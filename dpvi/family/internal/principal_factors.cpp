#include <dpvi/family/internal/principal_factors.hpp>

#include <dpvi/base/internal/dense_solvers.hpp>

namespace dpvi {

PrincipalFactors::PrincipalFactors(const Eigen::MatrixXd& covariance, Eigen::Index rank) {
  constexpr int kRounds = 20;
  constexpr double kLeastShare = 1e-6;  // smallest specific variance, as a share of the variance
  const Eigen::VectorXd variances = covariance.diagonal();
  Eigen::VectorXd own = 0.5 * variances;
  for (int round = 0; round < kRounds; ++round) {
    Eigen::MatrixXd shared = covariance;
    shared.diagonal() -= own;
    columns = leading_columns(shared, rank);
    own = (variances - columns.rowwise().squaredNorm()).cwiseMax(kLeastShare * variances);
  }
  diagonal = own.cwiseSqrt();
}

}  // namespace dpvi
