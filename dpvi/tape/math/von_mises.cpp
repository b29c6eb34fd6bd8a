#include <dpvi/tape/math/von_mises.hpp>

#include <cmath>
#include <limits>
#include <numbers>

#include <dpvi/tape/math/special_functions.hpp>

namespace dpvi {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kTwoPi = 2.0 * std::numbers::pi;
// Between these values of kappa the two approximations are blended.
constexpr double kLastOfSeries = 49.0;
constexpr double kFirstNormal = 50.0;

// 1/2 + x / (2 pi) plus the sum of I_j(kappa) / I_0(kappa) sin(j x) / (j pi) over j >= 1. The
// ratios of Bessel functions come from their continued fraction, from the last term down.
VonMises by_series(double x, double kappa) {
  const int terms = static_cast<int>(28.0 + 0.5 * kappa - 100.0 / (kappa + 5.0) + 1.0);
  double ratio = 0.0;  // I_j / I_(j - 1)
  double ratio_by_kappa = 0.0;
  VonMises sum;
  for (int j = terms - 1; j >= 1; --j) {
    const double next = 1.0 / (2.0 * j / kappa + ratio);
    ratio_by_kappa = next * next * (2.0 * j / (kappa * kappa) - ratio_by_kappa);
    ratio = next;
    const double rest = std::sin(j * x) / j + sum.value;
    sum.by_kappa = ratio_by_kappa * rest + ratio * sum.by_kappa;
    sum.by_x = ratio * (std::cos(j * x) + sum.by_x);
    sum.value = ratio * rest;
  }
  const double value = 0.5 + x / kTwoPi + sum.value / std::numbers::pi;
  if (value < 0.0) return {0.0, 0.0, 0.0};
  if (value > 1.0) return {1.0, 0.0, 0.0};
  return {value, 1.0 / kTwoPi + sum.by_x / std::numbers::pi, sum.by_kappa / std::numbers::pi};
}

VonMises by_normal(double x, double kappa) {
  const double scale = std::sqrt(2.0 / std::numbers::pi) * std::exp(kappa - log_bessel_i0(kappa));
  const double z = scale * std::sin(0.5 * x);
  const double density = std::exp(-0.5 * z * z) / std::sqrt(kTwoPi);
  return {standard_normal_cdf(z), density * scale * 0.5 * std::cos(0.5 * x),
          density * z * (1.0 - bessel_i1_over_i0(kappa))};
}

}  // namespace

VonMises von_mises_cdf(double x, double kappa) {
  // An angle of half a turn may have been rounded up.
  const bool inside = std::fabs(x) <= std::numbers::pi + 1e-6;
  if (!inside || !(kappa > 0.0 && kappa < std::numeric_limits<double>::infinity())) {
    return {kNan, kNan, kNan};
  }
  if (kappa < kLastOfSeries) return by_series(x, kappa);
  if (kappa >= kFirstNormal) return by_normal(x, kappa);
  const VonMises low = by_series(x, kLastOfSeries);
  const VonMises high = by_normal(x, kFirstNormal);
  const double share = kappa - kLastOfSeries;
  return {low.value + share * (high.value - low.value), low.by_x + share * (high.by_x - low.by_x),
          high.value - low.value};
}

}  // namespace dpvi
