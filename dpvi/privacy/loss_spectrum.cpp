#include <dpvi/privacy/loss_spectrum.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace dpvi {
namespace {

using Complex = std::complex<double>;

constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
// A phase's entries below e^-kNegligible are dropped and counted as error.
constexpr double kNegligible = 80;

}  // namespace

LossSpectrum::LossSpectrum(std::size_t length)
    : length_(length), upper_(length / 2 + 1), lower_(length / 2 + 1) {}

void LossSpectrum::multiply(const TiltedStep& step, double steps) {
  const ComplexVector transformed = fourier_transform(step.circle);
  const double heaviest = step.heaviest.real() + step.heaviest.imag();
  const double error = fourier_error(length_) * step.rest + 4 * kUnit * (heaviest + step.rest);
  const Power power{error, steps, std::exp(-kNegligible / steps)};
  for (std::size_t k = 0; k <= length_ / 2; ++k) {
    // The two ends are separated by the symmetry of real sequences.
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

LossSpectrum::Masses LossSpectrum::masses() const {
  const double inverse_error = fourier_error(length_);
  ComplexVector spectrum(length_);
  double error = 0;
  for (std::size_t k = 0; k <= length_ / 2; ++k) {
    const Entry upper = entry(upper_, k), lower = entry(lower_, k);
    const Complex u = upper.value, l = lower.value;
    spectrum[k] = Complex(u.real() - l.imag(), u.imag() + l.real());
    if (k != 0) spectrum[length_ - k] = Complex(u.real() + l.imag(), l.real() - u.imag());
    error += upper.error + lower.error + inverse_error * (upper.size + lower.size);
  }
  Masses result{inverse_fourier_transform(std::move(spectrum)), 0};
  const double scale = 1 / static_cast<double>(length_);
  for (Complex& value : result.values) value *= scale;
  result.error = 2 * error * scale * (1 + 1e-9);
  return result;
}

}  // namespace dpvi
