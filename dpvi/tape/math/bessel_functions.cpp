#include <dpvi/tape/math/bessel_functions.hpp>

#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/lambert_w.hpp>

#include <cmath>
#include <limits>
#include <numbers>

#include <dpvi/tape/math/internal/quiet_policy.hpp>
#include <dpvi/tape/math/special_functions.hpp>

namespace dpvi {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Boost's recurrences would take too long for higher orders.
constexpr double kLargestOrder = 10'000;

bool is_usable(double order, double x) {
  return std::fabs(order) <= kLargestOrder && std::isfinite(x);
}

// The derivative by recurrence, f' = order / x f + sign * f of order + 1, for all four functions.
template <class Function>
ValueAndSlope by_recurrence(const Function& f, double order, double x, double sign) {
  const double value = f(order, x);
  if (x == 0.0) {
    // Only J and I get here. For order 1 both behave like x / 2 near 0.
    return {value, order == 1.0 ? 0.5 : 0.0};
  }
  return {value, order / x * value + sign * f(order + 1.0, x)};
}

// Log of the power series. It needs about x / 2 terms beyond the largest.
double log_series(double order, double x) {
  const double log_quarter = 2.0 * std::log(0.5 * x);
  double log_term = order * std::log(0.5 * x) - log_gamma(order + 1.0);
  double log_sum = log_term;
  for (double k = 1.0; k < 20'000.0; ++k) {
    log_term += log_quarter - std::log(k) - std::log(k + order);
    const double high = std::fmax(log_sum, log_term);
    log_sum = high + std::log(std::exp(log_sum - high) + std::exp(log_term - high));
    if (log_term < log_sum - 40.0 && k * (k + order) > 0.25 * x * x) break;
  }
  return log_sum;
}

// Hankel's expansion (Abramowitz and Stegun 9.7.1), for x far above the square of the order.
double log_asymptotic(double order, double x) {
  const double mu = 4.0 * order * order;
  double term = 1.0;
  double sum = 1.0;
  for (double k = 1.0; k < 30.0; ++k) {
    const double odd = 2.0 * k - 1.0;
    const double next = term * (odd * odd - mu) / (k * 8.0 * x);
    if (std::fabs(next) > std::fabs(term)) break;
    term = next;
    sum += term;
    if (std::fabs(term) < 1e-17 * std::fabs(sum)) break;
  }
  return x - 0.5 * std::log(2.0 * std::numbers::pi * x) + std::log(sum);
}

double log_bessel_i_value(double order, double x) {
  if (x == 0.0) return order == 0.0 ? 0.0 : order > 0.0 ? -kInfinity : kInfinity;
  if (x > 500.0 && x > 4.0 * order * order) return log_asymptotic(order, x);
  if (x <= 500.0) {
    const double plain = boost::math::cyl_bessel_i(order, x, Quiet());
    if (plain > 1e-290 && plain < 1e290) return std::log(plain);
  }
  return log_series(order, x);
}

}  // namespace

ValueAndSlope bessel_j(double order, double x) {
  if (!is_usable(order, x)) return {kNan, kNan};
  const auto f = [](double v, double at) { return boost::math::cyl_bessel_j(v, at, Quiet()); };
  return by_recurrence(f, order, x, -1.0);
}

ValueAndSlope bessel_y(double order, double x) {
  if (!is_usable(order, x) || x <= 0.0) return {kNan, kNan};
  const auto f = [](double v, double at) { return boost::math::cyl_neumann(v, at, Quiet()); };
  return by_recurrence(f, order, x, -1.0);
}

ValueAndSlope bessel_i(double order, double x) {
  if (!is_usable(order, x)) return {kNan, kNan};
  const auto f = [](double v, double at) { return boost::math::cyl_bessel_i(v, at, Quiet()); };
  return by_recurrence(f, order, x, 1.0);
}

ValueAndSlope bessel_k(double order, double x) {
  if (!is_usable(order, x) || x <= 0.0) return {kNan, kNan};
  const auto f = [](double v, double at) { return boost::math::cyl_bessel_k(v, at, Quiet()); };
  return by_recurrence(f, order, x, -1.0);
}

ValueAndSlope log_bessel_i(double order, double x) {
  if (!is_usable(order, x) || order <= -1.0 || x < 0.0) return {kNan, kNan};
  const double value = log_bessel_i_value(order, x);
  if (x == 0.0) return {value, order == 0.0 ? 0.0 : kInfinity};
  return {value, order / x + std::exp(log_bessel_i_value(order + 1.0, x) - value)};
}

ValueAndSlope lambert_w0(double x) {
  if (std::isnan(x) || x < -1.0 / std::numbers::e) return {kNan, kNan};
  if (x == kInfinity) return {kInfinity, 0.0};
  const double w = boost::math::lambert_w0(x, Quiet());
  return {w, std::exp(-w) / (1.0 + w)};
}

ValueAndSlope lambert_wm1(double x) {
  if (!(x >= -1.0 / std::numbers::e && x < 0.0)) return {kNan, kNan};
  const double w = boost::math::lambert_wm1(x, Quiet());
  return {w, w / (x * (1.0 + w))};
}

}  // namespace dpvi
