#include <dpvi/family/identity_plus_columns.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace dpvi {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

struct IdentityPlusColumns::Parts {
  Parts(std::span<const double> entries, Eigen::Index rank)
      : columns(Eigen::Map<const Rows>(entries.data(), std::ssize(entries) / rank, rank)),
        inner(Eigen::MatrixXd::Identity(rank, rank) + columns.transpose() * columns) {}

  Rows columns;
  Eigen::LLT<Eigen::MatrixXd> inner;  // I + B' B, which has the same determinant
};

IdentityPlusColumns::IdentityPlusColumns(std::span<const double> columns, std::size_t rank)
    : parts_(std::make_unique<Parts>(columns, static_cast<Eigen::Index>(rank))) {}

IdentityPlusColumns::~IdentityPlusColumns() = default;

double IdentityPlusColumns::half_log_determinant() const {
  const Eigen::MatrixXd factor = parts_->inner.matrixL();
  return factor.diagonal().array().log().sum();
}

std::vector<double> IdentityPlusColumns::half_log_determinant_gradient() const {
  const Rows slopes = parts_->inner.solve(parts_->columns.transpose()).transpose();
  return {slopes.data(), slopes.data() + slopes.size()};
}

double IdentityPlusColumns::square(std::span<const double> x) const {
  const auto vector = Eigen::Map<const Eigen::VectorXd>(x.data(), std::ssize(x));
  const Eigen::VectorXd inner = parts_->columns.transpose() * vector;
  return vector.squaredNorm() - inner.dot(parts_->inner.solve(inner));
}

}  // namespace dpvi
