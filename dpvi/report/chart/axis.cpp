#include <dpvi/report/chart/axis.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dpvi {
namespace {

double power_of(double value) { return std::floor(std::log10(std::abs(value)) + 1e-9); }

// A few figures, with a short exponent for numbers that are large or small: 2e5, 1e-4.
std::string short_number(double value, int figures = 3) {
  const double size = std::abs(value);
  if (size == 0.0 || (size >= 1e-3 && size < 99999.5)) return fmt::format("{:.5g}", value);
  const double power = power_of(value);
  return fmt::format("{:.{}g}e{:.0f}", value / std::pow(10.0, power), figures, power);
}

}  // namespace

Axis::Axis(Kind kind, double low, double high) : kind_(kind), low_(low), high_(high) {
  const bool drawable = std::isfinite(low) && std::isfinite(high) && low <= high &&
                        std::isfinite(high - low) && (kind == Kind::linear || low > 0.0);
  if (!drawable) {
    low_ = kind == Kind::linear ? 0.0 : 0.1;
    high_ = kind == Kind::linear ? 1.0 : 10.0;
  }
  if (low_ < high_ && high_ - low_ > 1e-12 * std::max(std::abs(low_), std::abs(high_))) return;
  if (kind == Kind::logarithmic) {
    low_ /= 2.0;
    high_ *= 2.0;
  } else {
    const double margin = low_ == 0.0 ? 1.0 : 0.1 * std::abs(low_);
    low_ -= margin;
    high_ += margin;
  }
}

Axis Axis::with_margin(double share) const {
  if (kind_ == Kind::logarithmic) {
    const double factor = std::pow(high_ / low_, share);
    return {kind_, low_ / factor, high_ * factor};
  }
  const double margin = share * (high_ - low_);
  return {kind_, low_ - margin, high_ + margin};
}

Axis Axis::on_pixels(double pixel_low, double pixel_high) const {
  Axis axis = *this;
  axis.pixel_low_ = pixel_low;
  axis.pixel_high_ = pixel_high;
  return axis;
}

double Axis::scaled(double value) const {
  return kind_ == Kind::logarithmic ? std::log10(value) : value;
}

double Axis::at(double value) const {
  const double share = (scaled(value) - scaled(low_)) / (scaled(high_) - scaled(low_));
  return pixel_low_ + share * (pixel_high_ - pixel_low_);
}

// A round step of which about `count`, and at least two, fit into the range.
double Axis::step(int count) const {
  const double rough = 0.7 * (high_ - low_) / count;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double fitting = power;
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    const double step = factor * power;
    if (std::floor(high_ / step + 1e-9) - std::ceil(low_ / step - 1e-9) < 1.0) break;
    fitting = step;
    if (step >= rough) break;
  }
  return fitting;
}

// Multiples of a round step.
std::vector<double> Axis::even_ticks(int count) const {
  std::vector<double> result;
  const double distance = step(count);
  const double first = std::ceil(low_ / distance - 1e-9);
  for (double k = first; k * distance <= high_ + 1e-9 * distance && result.size() < 100; ++k) {
    result.push_back(k * distance);
  }
  return result;
}

std::vector<double> Axis::ticks(int count) const {
  if (kind_ == Kind::linear) return even_ticks(count);
  const std::vector<double> finer = {1.0, 2.0, 5.0};
  const double decades = std::log10(high_ / low_);
  const double stride = decades <= 1.5 * count ? 1.0 : std::ceil(decades / count);
  std::vector<double> result =
      power_ticks(3.0 * decades <= 1.6 * count ? finer : std::vector{1.0}, stride);
  if (result.size() < 2) result = power_ticks(finer, 1.0);
  return result.size() < 2 ? even_ticks(count) : result;
}

// Multiples of every `stride`th power of ten.
std::vector<double> Axis::power_ticks(const std::vector<double>& factors, double stride) const {
  std::vector<double> result;
  for (double power = std::floor(std::log10(low_)); power <= std::ceil(std::log10(high_));
       power += stride) {
    for (const double factor : factors) {
      const double value = factor * std::pow(10.0, power);
      if (holds(value)) result.push_back(value);
    }
  }
  return result;
}

std::string Axis::label(double tick, int count) const {
  if (kind_ == Kind::logarithmic) return short_number(tick);
  const double distance = step(count);
  const double largest = std::max(std::abs(low_), std::abs(high_));
  if (std::abs(tick) < 1e-6 * distance) tick = 0.0;
  if (tick != 0.0 && (largest >= 1e6 || largest < 1e-4)) {
    // Enough figures to tell neighbours apart.
    const double figures = power_of(tick) - power_of(distance) + 1.0;
    return short_number(tick, static_cast<int>(std::clamp(figures, 3.0, 9.0)));
  }
  const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(distance) - 1e-9)));
  return fmt::format("{:.{}f}", tick, std::min(decimals, 8));
}

}  // namespace dpvi
