#pragma once

#include <string>
#include <vector>

namespace dpvi {

// A scale from values to pixels, linear or logarithmic.
class Axis {
 public:
  enum class Kind { linear, logarithmic };

  // The range of values may be empty or not finite; it is then replaced by one that can be drawn.
  // `pixel_low` belongs to `low`. Requires low > 0 for a logarithmic axis.
  Axis(Kind kind, double low, double high);

  // Widens the range by this share at both ends.
  Axis with_margin(double share) const;
  Axis on_pixels(double pixel_low, double pixel_high) const;

  double at(double value) const;
  bool holds(double value) const { return value >= low_ && value <= high_; }
  double low() const { return low_; }
  double high() const { return high_; }

  // Round values inside the range, about `count` of them.
  std::vector<double> ticks(int count) const;
  // The value with as many decimals as the ticks need.
  std::string label(double tick, int count) const;

 private:
  double scaled(double value) const;
  double step(int count) const;
  std::vector<double> even_ticks(int count) const;
  std::vector<double> power_ticks(const std::vector<double>& factors, double stride) const;

  Kind kind_;
  double low_, high_;
  double pixel_low_ = 0.0, pixel_high_ = 1.0;
};

}  // namespace dpvi
