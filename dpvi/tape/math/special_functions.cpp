#include <dpvi/tape/math/special_functions.hpp>

#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/polygamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

#include <cmath>
#include <limits>
#include <numbers>

#include <dpvi/tape/math/internal/quiet_policy.hpp>

namespace dpvi {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kHalfLogTwoPi = 0.5 * std::log(2.0 * std::numbers::pi);

bool is_pole(double x) { return x <= 0.0 && x == std::floor(x); }

// Below this, the distribution function is computed from the continued fraction of the Mills ratio.
constexpr double kMillsSwitch = -6.0;

// (1 - cdf(t)) / density(t) for t >= 6, as 1/(t + 1/(t + 2/(t + 3/...))). With sixty terms the
// error is below one unit in the last place at t = 6, and smaller beyond.
double mills_ratio(double t) {
  double tail = t;
  for (int k = 60; k >= 1; --k) tail = t + k / tail;
  return 1.0 / tail;
}

// Beyond this, the Bessel functions are computed from their expansions in 1/x (Abramowitz and
// Stegun 9.7.1), whose first omitted terms are below 1e-13.
constexpr double kBesselSwitch = 500.0;

}  // namespace

double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

double digamma(double x) {
  if (std::isnan(x) || is_pole(x)) return kNan;
  if (x == kInfinity) return kInfinity;
  return boost::math::digamma(x, Quiet());
}

double trigamma(double x) {
  if (std::isnan(x) || is_pole(x)) return kNan;
  if (x == kInfinity) return 0.0;
  return boost::math::trigamma(x, Quiet());
}

double tetragamma(double x) {
  if (std::isnan(x) || is_pole(x)) return kNan;
  if (x == kInfinity) return 0.0;
  return boost::math::polygamma(2, x, Quiet());
}

double standard_normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

double log_standard_normal_cdf(double x) {
  if (x < kMillsSwitch) return -0.5 * x * x - kHalfLogTwoPi + std::log(mills_ratio(-x));
  if (x > 0.0) return std::log1p(-0.5 * std::erfc(x / std::numbers::sqrt2));
  return std::log(standard_normal_cdf(x));
}

double inverse_mills_ratio(double x) {
  if (x < kMillsSwitch) return 1.0 / mills_ratio(-x);
  return std::exp(-0.5 * x * x - kHalfLogTwoPi) / standard_normal_cdf(x);
}

double standard_normal_quantile(double p) {
  if (!(p >= 0.0 && p <= 1.0)) return kNan;
  if (p == 0.0) return -kInfinity;
  if (p == 1.0) return kInfinity;
  return -std::numbers::sqrt2 * boost::math::erfc_inv(2.0 * p, Quiet());
}

double log_bessel_i0(double x) {
  if (std::isnan(x)) return kNan;
  const double t = std::fabs(x);
  if (t < kBesselSwitch) return std::log(boost::math::cyl_bessel_i(0, t, Quiet()));
  if (t == kInfinity) return kInfinity;
  const double u = 1.0 / (8.0 * t);
  const double correction = u * (1.0 + u * (4.5 + u * (37.5 + u * 459.375)));
  return t - 0.5 * std::log(t) - kHalfLogTwoPi + std::log1p(correction);
}

double bessel_i1_over_i0(double x) {
  if (std::isnan(x)) return kNan;
  const double t = std::fabs(x);
  double ratio = 0.0;
  if (t < kBesselSwitch) {
    ratio = boost::math::cyl_bessel_i(1, t, Quiet()) / boost::math::cyl_bessel_i(0, t, Quiet());
  } else {
    const double r = 1.0 / t;
    ratio = 1.0 - r * (0.5 + r * (0.125 + r * (0.125 + r * (25.0 / 128.0))));
  }
  return std::copysign(ratio, x);
}

}  // namespace dpvi
