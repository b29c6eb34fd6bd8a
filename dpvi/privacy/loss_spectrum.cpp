#include <dpvi/privacy/loss_spectrum.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace dpvi {
namespace {

using Complex = std::complex<double>;

constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Entries of a phase below e^-kNegligible are dropped and counted as error.
constexpr double kNegligible = 80;

// 1 - e^(-decay + i angle), accurate near zero.
Complex one_minus(double decay, double angle) {
  const double size = std::exp(-decay), half = std::sin(angle / 2);
  return {-std::expm1(-decay) + 2 * size * half * half, -size * std::sin(angle)};
}

Complex quotient(Complex a, Complex b) { return a * std::conj(b) / std::norm(b); }

// Fourier transform of e^(-tilt m h) (1 - e^(-m h)) over 0 <= m < reach. With a = e^(-tilt h),
// b = e^(-h) and a root of unity z it is
//   [a z (1-b) (1 - (a z)^reach) / (1 - a z) - (a z)^reach (1 - b^reach)] / (1 - a b z).
class HockeyStickKernel {
 public:
  struct Weight {
    Complex value;
    double size = 0;
    double error = 0;
  };

  HockeyStickKernel(const CompositionGrid& grid, std::size_t reach)
      : length_(grid.length),
        reach_(reach),
        spacing_(grid.spacing()),
        tilt_(grid.tilt),
        step_(-std::expm1(-spacing_)),
        last_step_(-std::expm1(-spacing_ * static_cast<double>(reach))) {}

  Weight at(std::size_t k) const {
    const double unit_angle = 2 * std::numbers::pi / static_cast<double>(length_);
    const double angle = unit_angle * static_cast<double>(k);
    // The angle of z^reach, reduced to the smallest magnitude.
    const auto rest = static_cast<double>((k * reach_) % length_);
    const auto length = static_cast<double>(length_);
    const double last_angle = unit_angle * (2 * rest > length ? rest - length : rest);
    const double last_decay = tilt_ * spacing_ * static_cast<double>(reach_);

    const Complex head = quotient(
        step_ * std::polar(std::exp(-tilt_ * spacing_), angle) * one_minus(last_decay, last_angle),
        one_minus(tilt_ * spacing_, angle));
    const Complex tail = last_step_ * std::polar(std::exp(-last_decay), last_angle);
    const Complex below = one_minus((tilt_ + 1) * spacing_, angle);
    const Complex value = quotient(head - tail, below);
    const double terms = std::sqrt(std::norm(head)) + std::sqrt(std::norm(tail));
    return {value, std::sqrt(std::norm(value)), 32 * kUnit * terms / std::sqrt(std::norm(below))};
  }

 private:
  std::size_t length_, reach_;
  double spacing_, tilt_, step_, last_step_;
};

}  // namespace

LossSpectrum::LossSpectrum(std::size_t length)
    : length_(length), upper_(length / 2 + 1), lower_(length / 2 + 1) {}

void LossSpectrum::multiply(const TiltedStep& step, double steps) {
  const ComplexVector transformed = fourier_transform(step.circle);
  const double heaviest = step.heaviest.real() + step.heaviest.imag();
  const double error = fourier_error(length_) * step.rest + 4 * kUnit * (heaviest + step.rest);
  const Power power{error, steps, std::exp(-kNegligible / steps)};
  for (std::size_t k = 0; k <= length_ / 2; ++k) {
    // Both ends are real sequences, so symmetry separates their transforms.
    const Complex z = transformed[k];
    const Complex w = std::conj(transformed[k == 0 ? 0 : length_ - k]);
    const Complex sum = 0.5 * (z + w), difference = 0.5 * (z - w);
    multiply_entry(upper_, k, sum + step.heaviest.real(), power);
    multiply_entry(lower_, k, Complex(difference.imag() + step.heaviest.imag(), -difference.real()),
                   power);
  }
  log_total_ += steps * std::max(0.0, std::log(step.upper_total) + 64 * kUnit);
}

void LossSpectrum::multiply_entry(End& end, std::size_t k, Complex factor, const Power& power) {
  const double size = std::max(std::sqrt(std::norm(factor)), 1e-150);
  if (size + power.error < power.least) {
    end.log_size[k] = -kInfinity;
    return;
  }
  end.log_size[k] += power.steps * std::log(size);
  end.angle[k] += power.steps * std::arg(factor);
  const double ratio = power.error / size;
  end.spread[k] += power.steps * ((ratio < 1 ? ratio : std::log1p(ratio)) + 8 * kUnit);
}

LossSpectrum::Entry LossSpectrum::entry(const End& end, std::size_t k) const {
  if (end.log_size[k] == -kInfinity) return {0, 0, std::exp(log_total_ - kNegligible)};
  const double wide = end.spread[k] + 256 * kUnit;
  const double size = std::exp(end.log_size[k]);
  return {std::polar(size, end.angle[k]), size,
          std::exp(end.log_size[k] + wide) * -std::expm1(-wide)};
}

TiltedDeltas LossSpectrum::deltas(const CompositionGrid& grid, std::size_t reach) const {
  const HockeyStickKernel kernel(grid, reach);
  const double largest_weight = kernel.at(0).size;
  const double rounding = fourier_error(length_) + 16 * kUnit;
  ComplexVector spectrum(length_);
  double error = 0;
  for (std::size_t k = 0; k <= length_ / 2; ++k) {
    const Entry upper = entry(upper_, k), lower = entry(lower_, k);
    if (upper.size == 0 && lower.size == 0) {
      error += largest_weight * (upper.error + lower.error);
      continue;
    }
    const auto [weight, size, weight_error] = kernel.at(k);
    error += (size + weight_error) * (upper.error + lower.error) +
             (size * rounding + weight_error) * (upper.size + lower.size);
    const Complex u = upper.value * weight, l = lower.value * weight;
    spectrum[k] = Complex(u.real() - l.imag(), u.imag() + l.real());
    if (k != 0) spectrum[length_ - k] = Complex(u.real() + l.imag(), l.real() - u.imag());
  }
  TiltedDeltas result{inverse_fourier_transform(spectrum), 0};
  const double scale = 1 / static_cast<double>(length_);
  for (Complex& value : result.values) value *= scale;
  result.error = 2 * error * scale * (1 + 1e-9);
  return result;
}

}  // namespace dpvi
