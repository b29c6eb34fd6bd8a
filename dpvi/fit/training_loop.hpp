#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <dpvi/family/gaussian_family.hpp>
#include <dpvi/fit/clip_plan.hpp>
#include <dpvi/gradient/record_gradients.hpp>
#include <dpvi/optim/iterate_trace.hpp>
#include <dpvi/optim/optimizer.hpp>
#include <dpvi/optim/step_schedule.hpp>
#include <dpvi/privacy/noise_grid.hpp>
#include <dpvi/random/sampling_rate.hpp>
#include <dpvi/random/secure_generator.hpp>
#include <dpvi/tape/uniform_function.hpp>

namespace dpvi {

// Steps that have one sampling rate and one noise.
struct LoopPhase {
  SamplingRate sampling_rate;
  NoiseGrid grid;
  std::int64_t steps = 0;
};

// Everything that fixes what the loop does, chosen without looking at a record.
struct LoopPlan {
  std::vector<LoopPhase> phases;
  ClipPlan clip;
  OptimizerKind optimizer = OptimizerKind::adam;
  ScheduleKind schedule = ScheduleKind::constant;
  double learning_rate = 0.03;
  double averaged_share = 0.65;

  // Of all phases.
  std::int64_t steps() const;
};

// The posterior that is fitted: the program on no record, and one record's contribution.
struct LoopModel {
  const UniformFunction* prior;
  RecordGradients* gradients;
  std::uint64_t record_count;
};

// Where the loop starts: the family's Gaussian around the coordinates' centre, with this standard
// deviation in each of them. It works in the coordinates throughout.
struct LoopStart {
  Coordinates coordinates;
  double scale = 1.0;
};

// Called after each step with the number of steps done; false stops the run.
using StepWatcher = std::function<bool(std::int64_t steps_done)>;

struct LoopOutcome {
  std::vector<double> parameters;  // of the family over theta, averaged over the last iterates
  IterateTrace locations;          // of the iterates that are averaged, by theta
  double last_clip_bound = 0.0;
  bool completed = false;
};

// Keys from the kernel. Neither generator may have been used before.
struct LoopRandomness {
  SecureGenerator draws = {};  // batches and variational draws
  SecureGenerator noise = {};
};

// Doubly stochastic variational inference (Jalko, Dikmen & Honkela 2017) with aligned gradients:
// in each step a Poisson sample of the records, one draw theta shared by the batch, each record's
// gradient by the coordinates clipped to the grid, one noisy sum; then, as post-processing, the
// prior, the entropy, the scale's gradient and the next clip bound. The full-data gradient is
// estimated by the released sum / sampling rate: neither the number of records nor the size of a
// batch enters.
//
// Guarantee: all iterates together cost what an accountant says of the plan's phases of
// Poisson-sampled Gaussian steps.
LoopOutcome run_private_loop(const LoopPlan& plan, const LoopModel& model,
                             const GaussianFamily& family, const LoopStart& start,
                             const StepWatcher& watcher, LoopRandomness randomness = {});

// The same loop without clipping and noise, reproducible from a seed. Its result is not private.
LoopOutcome run_unprotected_loop(const LoopPlan& plan, const LoopModel& model,
                                 const GaussianFamily& family, const LoopStart& start,
                                 std::uint64_t seed, const StepWatcher& watcher);

}  // namespace dpvi
