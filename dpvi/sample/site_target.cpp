#include <dpvi/sample/site_target.hpp>

#include <Eigen/Core>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include <dpvi/base/internal/dense_solvers.hpp>

namespace dpvi {

// A component with what does not depend on theta.
class SiteTarget::Component {
 public:
  Component(const SiteComponent& given, double total_weight)
      : mean_(Eigen::Map<const Eigen::VectorXd>(given.mean.data(), size_of(given.mean))) {
    const double size = static_cast<double>(given.mean.size());
    log_scale_ =
        std::log(given.weight / total_weight) - 0.5 * size * std::log(2 * std::numbers::pi);
    if (given.precision.size() == given.mean.size()) {
      diagonal_ = Eigen::Map<const Eigen::VectorXd>(given.precision.data(), mean_.size());
      diagonal_ = diagonal_.cwiseMax(0.0);
      add_log_determinant(diagonal_);
    } else {
      assert(given.precision.size() == given.mean.size() * given.mean.size());
      set_dense(square_matrix(given.precision));
    }
  }

  // log weight + log N(mean | theta, precision^-1), and its gradient.
  double evaluate(const Eigen::VectorXd& theta, Eigen::VectorXd& gradient) const {
    const Eigen::VectorXd distance = mean_ - theta;
    if (dense_.size() == 0) {
      gradient = diagonal_.cwiseProduct(distance);
    } else {
      gradient.noalias() = dense_ * distance;
    }
    return log_scale_ - 0.5 * distance.dot(gradient);
  }

  double precision(Eigen::Index i) const {
    return dense_.size() == 0 ? diagonal_[i] : dense_(i, i);
  }

 private:
  static Eigen::Index size_of(const std::vector<double>& values) {
    return static_cast<Eigen::Index>(values.size());
  }

  void set_dense(Eigen::MatrixXd precision) {
    dense_ = 0.5 * (precision + precision.transpose());
    if (const std::optional<Eigen::MatrixXd> factor = cholesky_factor(dense_)) {
      log_scale_ += factor->diagonal().array().log().sum();
      return;
    }
    if (!dense_.allFinite()) return;
    Spectrum spectrum = spectrum_of(dense_);
    spectrum.values = spectrum.values.cwiseMax(0.0);
    dense_ = spectrum.vectors * spectrum.values.asDiagonal() * spectrum.vectors.transpose();
    add_log_determinant(spectrum.values);
  }

  // Directions without information do not count.
  void add_log_determinant(const Eigen::VectorXd& eigenvalues) {
    for (const double value : eigenvalues) {
      if (value > 0.0) log_scale_ += 0.5 * std::log(value);
    }
  }

  Eigen::VectorXd mean_;
  Eigen::VectorXd diagonal_;
  Eigen::MatrixXd dense_;  // empty if the precision is diagonal
  double log_scale_ = 0.0;
};

SiteTarget::SiteTarget(LogDensity prior, std::size_t dimension, Site site)
    : prior_(std::move(prior)),
      dimension_(dimension),
      site_(std::move(site)),
      means_(dimension, 0.0),
      precisions_(dimension, 0.0) {
  double total = 0.0;
  for (const SiteComponent& component : site_.components) total += component.weight;
  for (const SiteComponent& component : site_.components) {
    assert(component.mean.size() == (site_.map ? site_.map->size() : site_.used.size()));
    components_.emplace_back(component, total);
    for (std::size_t i = 0; i < site_.used.size(); ++i) {
      const double share = component.weight / total;
      means_[site_.used[i]] += share * component.mean[i];
      precisions_[site_.used[i]] +=
          share * components_.back().precision(static_cast<Eigen::Index>(i));
    }
  }
}

SiteTarget::~SiteTarget() = default;
SiteTarget::SiteTarget(SiteTarget&&) noexcept = default;
SiteTarget& SiteTarget::operator=(SiteTarget&&) noexcept = default;

double SiteTarget::value_and_gradient(std::span<const double> theta,
                                      std::span<double> gradient) const {
  const double prior = prior_(theta, gradient);
  if (components_.empty()) return prior;
  const std::vector<double> numbers = site_.numbers_at(theta);
  const auto size = std::ssize(numbers);
  const Eigen::VectorXd used = Eigen::VectorXd::Map(numbers.data(), size);
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(size), part(size);
  // A running log-sum-exp: `sum` is the gradient of the components so far.
  double log_sum = -std::numeric_limits<double>::infinity();
  for (const Component& component : components_) {
    const double value = component.evaluate(used, part);
    const double larger = std::max(log_sum, value);
    const double next = larger + std::log1p(std::exp(std::min(log_sum, value) - larger));
    sum = std::exp(log_sum - next) * sum + std::exp(value - next) * part;
    log_sum = next;
  }
  site_.pull_back(theta, {sum.data(), numbers.size()}, gradient);
  return prior + log_sum;
}

std::vector<double> Site::numbers_at(std::span<const double> theta) const {
  if (map) return map->evaluate(theta);
  std::vector<double> numbers;
  for (const std::size_t place : used) numbers.push_back(theta[place]);
  return numbers;
}

void Site::pull_back(std::span<const double> theta, std::span<const double> by_number,
                     std::span<double> gradient) const {
  if (map) {
    map->pull_back(theta, by_number, gradient);
    return;
  }
  for (std::size_t k = 0; k < used.size(); ++k) gradient[used[k]] += by_number[k];
}

LogDensity log_density_of(const UniformFunction& prior) {
  return [&prior](std::span<const double> theta, std::span<double> gradient) {
    return prior.value_and_gradient(theta, gradient);
  };
}

}  // namespace dpvi
