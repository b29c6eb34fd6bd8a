#include <dpvi/family/low_rank_covariance.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace dpvi {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

struct LowRankCovariance::Parts {
  Parts(std::span<const double> log_scales, std::span<const double> columns)
      : log_s(Eigen::Map<const Eigen::VectorXd>(log_scales.data(), std::ssize(log_scales))),
        inverse_s((-log_s).array().exp()),
        scaled(inverse_s.asDiagonal() * Eigen::Map<const Rows>(columns.data(), log_s.size(),
                                                               std::ssize(columns) / log_s.size())),
        inner(Eigen::MatrixXd::Identity(scaled.cols(), scaled.cols()) +
              scaled.transpose() * scaled) {}

  Eigen::VectorXd log_s, inverse_s;
  Rows scaled;                        // diag(s)^-1 B
  Eigen::LLT<Eigen::MatrixXd> inner;  // I + B' diag(s)^-2 B
};

LowRankCovariance::LowRankCovariance(std::span<const double> log_s, std::span<const double> columns)
    : parts_(std::make_unique<Parts>(log_s, columns)) {}

LowRankCovariance::~LowRankCovariance() = default;

double LowRankCovariance::half_log_determinant() const {
  const Eigen::MatrixXd factor = parts_->inner.matrixL();
  return parts_->log_s.sum() + factor.diagonal().array().log().sum();
}

double LowRankCovariance::square(std::span<const double> x) const {
  const Eigen::VectorXd scaled =
      parts_->inverse_s.cwiseProduct(Eigen::Map<const Eigen::VectorXd>(x.data(), std::ssize(x)));
  const Eigen::VectorXd inner = parts_->scaled.transpose() * scaled;
  return scaled.squaredNorm() - inner.dot(parts_->inner.solve(inner));
}

void LowRankCovariance::add_entropy_gradient(std::span<double> gradient) const {
  const Eigen::Index size = parts_->log_s.size();
  const Rows solved = parts_->inner.solve(parts_->scaled.transpose()).transpose();
  Eigen::Map<Eigen::VectorXd>(gradient.data(), size).array() +=
      1.0 - solved.cwiseProduct(parts_->scaled).rowwise().sum().array();
  Eigen::Map<Rows>(gradient.data() + size, size, solved.cols()) +=
      parts_->inverse_s.asDiagonal() * solved;
}

}  // namespace dpvi
