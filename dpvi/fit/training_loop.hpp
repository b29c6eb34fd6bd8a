#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <dpvi/family/gaussian_family.hpp>
#include <dpvi/gradient/record_gradients.hpp>
#include <dpvi/privacy/noise_grid.hpp>
#include <dpvi/random/sampling_rate.hpp>
#include <dpvi/tape/uniform_function.hpp>

namespace dpvi {

// Everything that fixes what the loop does, chosen without looking at a record.
struct LoopPlan {
  SamplingRate sampling_rate;
  NoiseGrid grid;
  std::int64_t steps = 0;
  double clip_bound = 1.0;
  double learning_rate = 0.03;
  double averaged_share = 0.65;
};

// The posterior that is fitted: the program on no record, and one record's contribution.
struct LoopModel {
  const UniformFunction* prior;
  RecordGradients* gradients;
  std::uint64_t record_count;
};

// Coordinates in which the loop works: theta = centre + factor * z, with a lower triangular factor
// (row-major) that is diagonal for a mean-field family. Steps of one size suit all entries of z
// where a posterior is badly scaled in theta.
struct Coordinates {
  std::vector<double> centre;
  std::vector<double> factor;
};

// Called after each step with the number of steps done; false stops the run.
using StepWatcher = std::function<bool(std::int64_t steps_done)>;

struct LoopOutcome {
  std::vector<double> parameters;  // of the family, averaged over the last iterates
  bool completed = false;
};

// Doubly stochastic variational inference (Jalko, Dikmen & Honkela 2017) with aligned gradients:
// in each step a Poisson sample of the records, one draw theta shared by the batch, each record's
// gradient clipped to the grid, one noisy sum; then, as post-processing, the prior, the entropy and
// the scale's gradient. The full-data gradient is estimated by the released sum / sampling rate:
// neither the number of records nor the size of a batch enters.
//
// Guarantee: all iterates together cost what an accountant says of `steps` Poisson-sampled Gaussian
// steps with the plan's sampling rate and noise multiplier.
LoopOutcome run_private_loop(const LoopPlan& plan, const LoopModel& model,
                             const GaussianFamily& family, std::vector<double> initial,
                             const StepWatcher& watcher);

// The same loop without clipping and noise, reproducible from a seed, started from a standard
// normal in the given coordinates. Its result is not private.
LoopOutcome run_unprotected_loop(const LoopPlan& plan, const LoopModel& model,
                                 const GaussianFamily& family, const Coordinates& coordinates,
                                 std::uint64_t seed, const StepWatcher& watcher);

}  // namespace dpvi
