#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <dpvi/base/stopwatch.hpp>
#include <dpvi/fit/plan/loop_plan.hpp>
#include <dpvi/fit/train/clip_bound_path.hpp>
#include <dpvi/fit/train/loop_outcome.hpp>
#include <dpvi/fit/train/rank_share.hpp>
#include <dpvi/fit/train/step_point.hpp>
#include <dpvi/fit/train/step_store.hpp>
#include <dpvi/gradient/record_gradients.hpp>
#include <dpvi/privacy/collective.hpp>
#include <dpvi/privacy/gaussian_mechanism.hpp>
#include <dpvi/privacy/mu_filter.hpp>
#include <dpvi/privacy/release_log.hpp>
#include <dpvi/random/batch_generator.hpp>
#include <dpvi/random/poisson_sampling.hpp>
#include <dpvi/random/secure_generator.hpp>

namespace dpvi {

// Generators with keys from the kernel. Neither may have been used before.
struct LoopRandomness {
  BatchGenerator draws = {};  // batches and variational draws
  SecureGenerator noise = {};
  // Steps of earlier attempts, and the place for new ones; nullptr without a checkpoint.
  StepStore* recorded = nullptr;
  // The records of the root of a job on several ranks; nullopt: this process has all records.
  std::optional<RankShare> share = std::nullopt;
};

// The step that privacy rests on: sample, draw, record gradients, clip, reduce, noise, release. The
// training loop takes every step of a private run through this class, and the tests attack it here.
// In a job on several ranks the root takes the steps, and the others sum over their records
// (rank_worker.hpp).
//
// Guarantee: each call of take() is one Poisson-sampled Gaussian step with the sampling rate and
// the noise multiplier of its phase, and the log records it. An empty batch is a step like any
// other. If the plan has all records in every step, a step that would exceed its total is refused
// before it reads a record.
class PrivateStep {
 public:
  // All references must outlive this object.
  PrivateStep(const LoopPlan& plan, RecordGradients& records, const Coordinates& coordinates,
              LoopRandomness randomness);

  void start(const LoopPhase& phase);
  Released take(std::size_t draw_size, const PointOfDraw& point_of);

  double clip_bound() const { return bound_.value(); }
  // Variance of one entry of the next full-data gradient estimate, due to noise alone.
  double gradient_noise_variance() const;
  const ReleaseLog& releases() const { return releases_; }
  // Returns the time breakdown; `all` is the duration of the whole run.
  LoopTimes times(double all) const;

 private:
  ClippedSum summed(const ClipSettings& clip, const StepPoint& point,
                    std::span<const std::uint64_t> batch);
  // Tells the other ranks, if there are any, what to sum.
  void announce(const ClipSettings& clip, const StepPoint& point);
  // Takes a recorded step again. No record is read.
  Released repeat(const RecordedStep& step, const PointOfDraw& point_of);

  const LoopPlan& plan_;
  RecordGradients& records_;
  const Coordinates& coordinates_;
  BatchGenerator generator_;
  RankShare share_;
  Collective collective_;
  GaussianMechanism mechanism_;
  StepStore* recorded_;
  ClipBoundPath bound_;
  std::optional<MuFilter> filter_;  // if the plan has all records in every step
  std::optional<NoiseGrid> grid_;   // of the current phase
  std::optional<PoissonSampler> sampler_;
  const Coordinates* announced_ = nullptr;  // coordinates that the other ranks have
  ReleaseLog releases_;
  Stopwatch sampling_, gradients_, noise_;
};

}  // namespace dpvi
