#pragma once

#include <cmath>
#include <limits>

namespace dpvi {

// Ordered pairs of output distributions that dominate one step; the first is P, the second Q. In
// units of the clip bound, N(m) is normal with mean m, and its standard deviation is the noise
// multiplier.
enum class Direction {
  remove,     // (1-q) N(0) + q N(1)  against  N(0)
  add,        // N(0)  against  (1-q) N(0) + q N(1)
  substitute  // (1-q) N(0) + q N(1)  against  (1-q) N(0) + q N(-1)
};

// One form for all three directions: P = (1-up) N(0) + up N(1), Q = (1-down) N(0) + down N(-1). The
// add direction is reflected (x -> -x), so the loss ln P(x)/Q(x) always increases with x.
template <class Real>
struct DominatingPair {
  Real up = 0;
  Real down = 0;
  Real noise = 1;

  DominatingPair(Direction direction, Real sampling_rate, Real noise_multiplier)
      : up(direction == Direction::add ? 0 : sampling_rate),
        down(direction == Direction::remove ? 0 : sampling_rate),
        noise(noise_multiplier) {}

  Real least_loss() const { return down > 0 ? -kInfinite : std::log1p(-up); }
  Real largest_loss() const { return up > 0 ? kInfinite : -std::log1p(-down); }

  Real loss(Real x) const {
    const Real scale = 2 * noise * noise;
    return log_mixture(up, (2 * x - 1) / scale) - log_mixture(down, (-2 * x - 1) / scale);
  }

  // The x whose loss is `value`; infinite if no x has that loss.
  Real outcome(Real value) const {
    if (value <= least_loss()) return -kInfinite;
    if (value >= largest_loss()) return kInfinite;
    if (down == 0) return inverse_one_sided(up, value);
    if (up == 0) return -inverse_one_sided(down, -value);
    return inverse_two_sided(value);
  }

  // ln(1 - w + w e^t) without overflow.
  static Real log_mixture(Real w, Real t) {
    if (w == 0) return 0;
    if (w == 1) return t;
    if (w > Real(0.5) && t < Real(-0.7)) return std::log(1 - w + w * std::exp(t));
    if (t < 30) return std::log1p(w * std::expm1(t));
    return t + std::log(w) + std::log1p((1 - w) / w * std::exp(-t));
  }

 private:
  static constexpr Real kInfinite = std::numeric_limits<Real>::infinity();

  // s^2 ln((e^L - 1 + q) / q) + 1/2.
  Real inverse_one_sided(Real q, Real value) const {
    Real log_ratio = value;
    if (q < 1) {
      log_ratio = value < Real(-0.7) ? std::log((std::exp(value) - (1 - q)) / q)
                  : value < 1        ? std::log1p(std::expm1(value) / q)
                                     : value - std::log(q) + std::log1p((q - 1) * std::exp(-value));
    }
    return noise * noise * log_ratio + Real(0.5);
  }

  // s^2 (asinh(A sinh(L/2)) + L/2) with A = (1-q)/q e^(1/(2 s^2)), in logarithms.
  Real inverse_two_sided(Real value) const {
    const Real half = std::abs(value) / 2;
    if (half == 0) return 0;
    const Real log_sinh = half < 1 ? std::log(std::sinh(half))
                                   : half + std::log1p(-std::exp(-2 * half)) - std::log(Real(2));
    const Real log_product =
        log_sinh + std::log((1 - up) / up) + 1 / (2 * noise * noise);  // -inf if q = 1
    const Real angle =
        log_product < 20 ? std::asinh(std::exp(log_product)) : log_product + std::log(Real(2));
    return std::copysign(noise * noise * (angle + half), value);
  }
};

}  // namespace dpvi
