#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dpvi {

// What a step's estimate of the full gradient carries beside the gradient.
struct StepNoise {
  double variance = 0.0;  // of each coordinate, by the noise
  double sampling = 0.0;  // of the records' information, by their sampling: (1 - q) / q
};

// How far the average of a run's last iterates may be from the answer, by the releases themselves.
// The gradient at a drawn point z is about H (answer - z), plus noise of known size: regressing the
// gradients on the points finds H, and the answer is uncertain by H^-1 times the mean noise. H
// starts from the curvature that the fitted standard deviations imply (diagonal) and leaves it as
// far as the releases say; with strong noise it stays.
//
// The scatter of the iterates, which needs no H, is too small where they wander more slowly than
// the run lasts. Post-processing of releases.
class ReleaseRegression {
 public:
  // Past this many coordinates nothing is gathered: the work grows with their square.
  static constexpr std::size_t kMostCoordinates = 200;

  // Of the last `share` of the steps.
  ReleaseRegression(std::int64_t steps, double share, std::size_t size);

  // One step: where the gradient was taken, and the gradient, the prior's included.
  void add(std::span<const double> point, std::span<const double> gradient, const StepNoise& noise);

  // A matrix A, row-major, with A A' the covariance of the average's distance from the answer.
  // `scales` are the fitted standard deviations; coordinates that records do not use have no noise.
  // Empty where there are too few steps or too many coordinates.
  std::vector<double> location_factor(std::span<const double> scales,
                                      const std::vector<bool>& used) const;

 private:
  bool gathers() const { return size_ <= kMostCoordinates; }

  std::int64_t first_;
  std::size_t size_;
  std::int64_t seen_ = 0;
  double count_ = 0.0;
  double variance_ = 0.0, sampling_ = 0.0;  // sums
  std::vector<double> points_, gradients_;  // sums
  std::vector<double> squares_, products_;  // sums of point point' and gradient point', row-major
};

}  // namespace dpvi
