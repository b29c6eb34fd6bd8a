#include <dpvi/fit/numerics/mode_finder.hpp>

#include <algorithm>
#include <cmath>

#include <dpvi/base/internal/dense_solvers.hpp>

namespace dpvi {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Point {
  VectorXd theta;
  VectorXd gradient;
  double value = 0.0;
};

Point evaluate(const ValueAndGradientFunction& function, VectorXd theta) {
  Point point{std::move(theta), {}, 0.0};
  point.gradient.setZero(point.theta.size());
  const auto size = static_cast<std::size_t>(point.theta.size());
  point.value = function({point.theta.data(), size}, {point.gradient.data(), size});
  return point;
}

MatrixXd curvature(const ValueAndGradientFunction& function, const VectorXd& theta) {
  const Eigen::Index size = theta.size();
  MatrixXd result(size, size);
  for (Eigen::Index j = 0; j < size; ++j) {
    const double step = 1e-4 * std::max(1.0, std::abs(theta[j]));
    VectorXd above = theta, below = theta;
    above[j] += step;
    below[j] -= step;
    result.col(j) = (evaluate(function, below).gradient - evaluate(function, above).gradient) /
                    (above[j] - below[j]);
  }
  return 0.5 * (result + result.transpose());
}

// Returns the first improving point of a Newton step under increasing damping, or the start if
// there is none.
Point newton_step(const ValueAndGradientFunction& function, const Point& from,
                  const MatrixXd& precision) {
  double damping = 0.0;
  const double unit = precision.diagonal().mean();
  constexpr int kTries = 40;
  for (int i = 0; i < kTries; ++i) {
    MatrixXd damped = precision;
    damped.diagonal().array() += damping;
    Point to = evaluate(function, from.theta + solve_positive(damped, from.gradient));
    if (std::isfinite(to.value) && to.gradient.allFinite() &&
        (to.value > from.value || !std::isfinite(from.value))) {
      return to;
    }
    damping = damping == 0.0 ? 1e-4 * unit : 4.0 * damping;
  }
  return from;
}

}  // namespace

ValueAndGradientFunction sum_of(ValueAndGradientFunction a, ValueAndGradientFunction b) {
  return [a = std::move(a), b = std::move(b)](std::span<const double> theta,
                                              std::span<double> gradient) {
    std::vector<double> other(gradient.size(), 0.0);
    const double value = a(theta, gradient) + b(theta, other);
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += other[i];
    return value;
  };
}

std::vector<double> minus_hessian(const ValueAndGradientFunction& function,
                                  std::span<const double> theta) {
  const MatrixXd result =
      curvature(function, VectorXd::Map(theta.data(), static_cast<Eigen::Index>(theta.size())));
  return {result.data(), result.data() + result.size()};
}

Mode find_mode(const ValueAndGradientFunction& function, std::span<const double> start) {
  Point point =
      evaluate(function, VectorXd::Map(start.data(), static_cast<Eigen::Index>(start.size())));
  Mode mode;
  MatrixXd precision;
  constexpr int kSteps = 200;
  for (int step = 0; step < kSteps && !mode.converged; ++step) {
    precision = made_positive(curvature(function, point.theta));
    const double expected_gain = point.gradient.dot(solve_positive(precision, point.gradient));
    if (expected_gain < 1e-10) {
      mode.converged = true;
      break;
    }
    Point next = newton_step(function, point, precision);
    mode.converged = next.value - point.value < 1e-9 * (1.0 + std::abs(point.value));
    point = std::move(next);
  }
  precision = made_positive(curvature(function, point.theta));
  mode.value = point.value;
  mode.theta.assign(point.theta.begin(), point.theta.end());
  mode.precision.assign(precision.data(), precision.data() + precision.size());
  return mode;
}

}  // namespace dpvi
