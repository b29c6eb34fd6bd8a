#include <dpvi/family/moment_gaussian.hpp>

#include <Eigen/Core>
#include <algorithm>
#include <cassert>
#include <cmath>

#include <dpvi/base/internal/dense_solvers.hpp>
#include <dpvi/family/make_family.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kLargestFullRank = 200;
constexpr double kTiny = 1e-150;

Eigen::MatrixXd centred(const std::vector<std::vector<double>>& draws,
                        const Eigen::VectorXd& mean) {
  Eigen::MatrixXd rows(static_cast<Eigen::Index>(draws.size()), mean.size());
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const std::vector<double>& draw = draws[static_cast<std::size_t>(i)];
    rows.row(i) = Eigen::Map<const Eigen::VectorXd>(draw.data(), mean.size()) - mean;
  }
  return rows;
}

}  // namespace

Gaussian moment_gaussian(const std::vector<std::vector<double>>& draws) {
  assert(!draws.empty());
  const std::size_t dimension = draws.front().size();
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(dimension));
  for (const std::vector<double>& draw : draws) {
    sum += Eigen::Map<const Eigen::VectorXd>(draw.data(), sum.size());
  }
  const Eigen::VectorXd mean = sum / static_cast<double>(draws.size());
  const std::vector<double> location(mean.begin(), mean.end());
  Eigen::MatrixXd rows = centred(draws, mean);
  rows /= std::sqrt(std::max(static_cast<double>(draws.size()) - 1.0, 1.0));
  Eigen::VectorXd sds = rows.colwise().norm();
  for (double& sd : sds) {
    if (!(sd > kTiny) || !std::isfinite(sd)) sd = kTiny;
  }
  if (dimension <= kLargestFullRank) {
    // Coordinates may have very different units, so correlations are factored.
    rows.array().rowwise() /= sds.transpose().array();
    if (const auto factor = cholesky_factor(rows.transpose() * rows, 1e-12)) {
      const SharedFamily family = make_family(FamilyKind::full_rank, dimension);
      return {family, family->parameters(location, {rows_of(sds.asDiagonal() * *factor)})};
    }
  }
  const SharedFamily family = make_family(FamilyKind::mean_field, dimension);
  return {family, family->parameters(location, {{sds.begin(), sds.end()}})};
}

}  // namespace dpvi
