#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include <dpvi/base/stopwatch.hpp>
#include <dpvi/fit/plan/loop_plan.hpp>
#include <dpvi/fit/train/loop_outcome.hpp>
#include <dpvi/fit/train/step_point.hpp>
#include <dpvi/gradient/record_gradients.hpp>
#include <dpvi/privacy/unprotected_mechanism.hpp>
#include <dpvi/random/poisson_sampling.hpp>
#include <dpvi/random/seeded_generator.hpp>

namespace dpvi {

// A step of an unprotected run: without clipping or noise, reproducible from a seed. It releases
// the gradient in working coordinates, as PrivateStep does. Joint terms are not needed: without
// clipping they follow from that gradient.
class UnprotectedStep {
 public:
  // All references must outlive this object.
  UnprotectedStep(RecordGradients& records, const Coordinates& coordinates, std::uint64_t seed)
      : records_(records), coordinates_(coordinates), generator_(seed) {}

  void start(const LoopPhase& phase);
  Released take(std::size_t draw_size, const PointOfDraw& point_of);

  double clip_bound() const { return std::numeric_limits<double>::infinity(); }
  double gradient_noise_variance() const { return 0.0; }
  ReleaseLog releases() const { return {}; }
  LoopTimes times(double all) const;

 private:
  RecordGradients& records_;
  const Coordinates& coordinates_;
  SeededGenerator generator_;
  UnprotectedMechanism mechanism_;
  std::optional<PoissonSampler> sampler_;
  std::uint64_t steps_ = 0;
  Stopwatch sampling_, gradients_;
};

}  // namespace dpvi
