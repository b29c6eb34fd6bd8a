#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <dpvi/family/gaussian.hpp>

namespace dpvi {

// How far the location of a fitted Gaussian may be from the location that a fit without noise would
// have found. This error is Gaussian around zero. Entries that are not finite count as zero: they
// come from a run that diverged, whose status says so.
class LocationNoise {
 public:
  // No noise.
  LocationNoise() = default;
  // Independent coordinates.
  static LocationNoise of_sds(std::vector<double> sds);
  // Covariance A A', where A is a row-major matrix with a row for each coordinate.
  static LocationNoise of_factor(std::vector<double> factor, std::size_t dimension);

  // The standard deviations if the coordinates are independent, else empty.
  std::span<const double> independent_sds() const { return sds_; }
  // A row by row, else empty.
  std::span<const double> factor() const { return factor_; }

  // Standard deviation of each coordinate; empty without noise.
  std::vector<double> standard_deviations() const;

  // Adds a draw of the error to theta. `eta` is a vector of independent standard normal draws, as
  // long as theta or, with a factor, as a row of it.
  void add_draw(std::span<const double> eta, std::span<double> theta) const;
  std::size_t draw_size() const { return factor_.empty() ? sds_.size() : width(); }

 private:
  std::size_t width() const { return factor_.size() / dimension_; }

  std::size_t dimension_ = 0;
  std::vector<double> sds_;
  std::vector<double> factor_;
};

// The Gaussian with the same location and the sum of both covariances. It belongs to the same
// family if that has independent scales and so has the noise, else it is full-rank.
Gaussian with_noise(const Gaussian& fitted, const LocationNoise& noise);

}  // namespace dpvi
