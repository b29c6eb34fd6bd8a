#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dpvi {

// Noise in the full-data gradient estimate of one step.
struct StepNoise {
  double variance = 0.0;  // noise variance of each coordinate
  double sampling = 0.0;  // sampling variance per unit of record information: (1 - q) / q
};

// Estimates from the releases how far the average of a run's last iterates may be from the optimum.
// The gradient at a drawn point z is about H (optimum - z), plus noise of known size. Regressing
// the gradients on the points gives H, and the error of the average is H^-1 times the mean noise. H
// starts at the diagonal curvature implied by the fitted standard deviations and departs from it as
// far as the releases indicate; with strong noise it stays there.
//
// The scatter of the iterates needs no H, but is too small if they move more slowly than the run
// lasts. This is post-processing of releases.
class ReleaseRegression {
 public:
  // Above this many coordinates no matrix is accumulated: the work is quadratic.
  static constexpr std::size_t kMaxCoordinates = 200;

  // Uses the last `share` of the steps.
  ReleaseRegression(std::int64_t steps, double share, std::size_t size);

  // Adds one step: the point of the gradient, and the gradient including the prior's.
  void add(std::span<const double> point, std::span<const double> gradient, const StepNoise& noise);

  struct Estimate {
    // Row-major matrix A such that A A' is the covariance of the average around the optimum.
    std::vector<double> factor;
    // Where the mean gradient points: the optimum minus the average, as far as noise lets it show.
    std::vector<double> move;
  };

  // `scales` are the fitted standard deviations. Coordinates that records do not use have no noise.
  // Both members are empty if there are too few steps or too many coordinates.
  Estimate estimate(std::span<const double> scales, const std::vector<bool>& used) const;

  // Standard deviations of the average around the optimum if H is the diagonal curvature implied by
  // the fitted standard deviations, for any number of coordinates and steps.
  std::vector<double> location_sds(std::span<const double> scales,
                                   const std::vector<bool>& used) const;

 private:
  bool gathers() const { return size_ <= kMaxCoordinates; }
  // Noise variance of the mean of one gradient, for a coordinate with a fitted sd of `scale` in
  // units in which that is 1.
  double variance_in_units_of(double scale) const;

  std::int64_t first_;
  std::size_t size_;
  std::int64_t seen_ = 0;
  double count_ = 0.0;
  double variance_ = 0.0, sampling_ = 0.0;  // sums
  std::vector<double> points_, gradients_;  // sums
  std::vector<double> squares_, products_;  // sums of point point' and gradient point', row-major
};

}  // namespace dpvi
