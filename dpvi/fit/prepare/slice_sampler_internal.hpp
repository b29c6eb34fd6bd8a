#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <dpvi/random/seeded_generator.hpp>

namespace dpvi {

// Coordinate-wise slice sampling (Neal 2003). The interval grows until it contains the slice, then
// shrinks. It is exact in the limit for densities that are unimodal in each coordinate.
class SliceSampler {
 public:
  // A log density up to a constant; NaN counts as minus infinity.
  using LogDensityValue = std::function<double(std::span<const double> theta)>;

  // The stream must outlive the sampler.
  SliceSampler(LogDensityValue density, SeededStream& stream, std::size_t size)
      : density_(std::move(density)),
        stream_(stream),
        theta_(size),
        fixed_(size, false),
        far_out_(size, kFarOut),
        reach_(size, kInfinity) {}

  // Keeps a coordinate at 0. Call before begin().
  void fix(std::size_t i) { fixed_[i] = true; }
  // How far from 0 a coordinate is taken to find out whether the density decays.
  void set_far_out(std::size_t i, double distance) { far_out_[i] = distance; }

  std::optional<std::vector<double>> draw();

  // Finds a point where the density is defined. Returns false if there is none.
  bool begin();

  const std::vector<double>& theta() const { return theta_; }
  // False for a coordinate in which the density does not decay. Call after begin().
  bool decays(std::size_t i) const { return reach_[i] == kInfinity; }
  // Draws one coordinate given the others. Call after begin().
  double redraw(std::size_t i);

  // Updates all coordinates that often. Call after begin().
  void sweep(std::size_t times);
  // Call after draw().
  const std::vector<double>& another();

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  // At this distance every proper prior has fallen by far more than enough.
  static constexpr double kFarOut = 1e6;

  double value() const;
  double value_at(std::size_t i, double entry);
  bool find_start();
  bool falls_off(std::size_t i);
  void update(std::size_t i);

  LogDensityValue density_;
  SeededStream& stream_;
  std::vector<double> theta_;
  std::vector<bool> fixed_;
  std::vector<double> far_out_;
  std::vector<double> reach_;
  double value_ = 0.0;
};

}  // namespace dpvi
