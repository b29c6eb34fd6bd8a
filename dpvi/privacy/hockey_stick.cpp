#include <dpvi/privacy/hockey_stick.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dpvi/privacy/analytic_gaussian.hpp>
#include <dpvi/privacy/invert_delta.hpp>

namespace dpvi {
namespace {

constexpr long double kUnit = std::numeric_limits<long double>::epsilon();

// ln of the upper tail of N(0,1). Beyond the range of erfc it is the continued fraction of Mills'
// ratio.
long double log_normal_tail(long double z) {
  if (z < 100) return std::log(std::erfc(z * std::sqrt(0.5L)) / 2);
  long double fraction = z;
  for (int k = 20; k >= 1; --k) fraction = z + k / fraction;
  return -z * z / 2 - std::log(fraction) - std::log(2 * std::acos(-1.0L)) / 2;
}

double round_down(long double value) {
  return std::nextafter(static_cast<double>(value), -std::numeric_limits<double>::infinity());
}

double round_up(long double value) {
  return std::nextafter(static_cast<double>(value), std::numeric_limits<double>::infinity());
}

}  // namespace

Bracket hockey_stick(const DominatingPair<long double>& pair, double epsilon) {
  if (epsilon >= pair.largest_loss()) {
    // The largest loss is itself rounded; just above it the true value may still be positive.
    const bool surely_above = epsilon > pair.largest_loss() * (1 + 8 * kUnit);
    return {0, surely_above ? 0 : std::numeric_limits<double>::min()};
  }
  const long double x = pair.outcome(epsilon);
  const auto log_tail = [&](long double mean) { return log_normal_tail((x - mean) / pair.noise); };
  // P - e^eps Q above x, collected by component. Errors in x enter only to second order.
  const long double shift = (pair.down - pair.up) * std::exp(-static_cast<long double>(epsilon));
  const long double excess = (1 - pair.down) * std::expm1(-static_cast<long double>(epsilon));
  const long double centre = std::exp(epsilon + log_tail(0));
  const long double right = pair.up == 0 ? 0 : pair.up * std::exp(log_tail(1));
  const long double left = pair.down == 0 ? 0 : pair.down * std::exp(epsilon + log_tail(-1));
  const long double value = (shift + excess) * centre + right - left;
  const long double size = (std::abs(shift) + std::abs(excess)) * centre + right + left;
  const long double z = (std::abs(x) + 1) / pair.noise;
  const long double error = size * kUnit * (32 + 8 * (z * z + epsilon));
  return {std::max(0.0, round_down(value - error)), std::min(1.0, round_up(value + error))};
}

Bracket one_step_delta(Direction direction, double sampling_rate, double noise_multiplier,
                       double epsilon) {
  return hockey_stick({direction, sampling_rate, noise_multiplier}, epsilon);
}

Bracket one_step_epsilon(Direction direction, double sampling_rate, double noise_multiplier,
                         double delta) {
  const DominatingPair<long double> pair(direction, sampling_rate, noise_multiplier);
  return invert_delta([&](double epsilon) { return hockey_stick(pair, epsilon); }, delta);
}

Bracket analytic_gaussian_delta(double mean_shift, double epsilon) {
  return hockey_stick({Direction::remove, 1, 1 / static_cast<long double>(mean_shift)}, epsilon);
}

Bracket analytic_gaussian_epsilon(double mean_shift, double delta) {
  return invert_delta([&](double epsilon) { return analytic_gaussian_delta(mean_shift, epsilon); },
                      delta);
}

}  // namespace dpvi
