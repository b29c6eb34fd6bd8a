#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <dpvi/family/gaussian_family.hpp>
#include <dpvi/fit/clip_plan.hpp>
#include <dpvi/gradient/record_gradients.hpp>
#include <dpvi/optim/iterate_trace.hpp>
#include <dpvi/optim/langevin.hpp>
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
  std::optional<double> clip_bound = {};  // with which the phase begins; else the last one stays
};

// What of a record is clipped and released.
enum class GradientMode {
  aligned,  // the gradient by theta; that by the family's other parameters follows from it
  joint     // the gradient by all parameters of the family, as in the paper
};
inline constexpr GradientMode kGradientModes[] = {GradientMode::aligned, GradientMode::joint};

std::string_view name_of(GradientMode mode);

// Everything that fixes what the loop does, chosen without looking at a record.
struct LoopPlan {
  std::vector<LoopPhase> phases;
  ClipPlan clip;
  GradientMode gradient = GradientMode::aligned;
  OptimizerKind optimizer = OptimizerKind::adam;
  ScheduleKind schedule = ScheduleKind::constant;
  double learning_rate = 0.03;
  double averaged_share = 0.65;
  // Instead of fitting a Gaussian, by any optimizer: a chain of its locations.
  std::optional<LangevinSettings> langevin = std::nullopt;

  // Of all phases.
  std::int64_t steps() const;
};

// The posterior that is fitted: the program on no record, and one record's contribution.
struct LoopModel {
  const UniformFunction* prior;
  RecordGradients* gradients;
  std::uint64_t record_count;
  // By entry of theta: whether records' gradients can be other than zero. What is released of
  // coordinates that are not used is noise alone and is left out.
  std::vector<bool> used_by_records;
};

// Where the loop starts: the family's Gaussian with this location and these standard deviations.
// They are by the coordinates, in which the loop works throughout.
struct LoopStart {
  // Around the coordinates' centre, every standard deviation the same.
  LoopStart(Coordinates coordinates, double scale);
  // From theta and its standard deviations.
  LoopStart(Coordinates coordinates, std::span<const double> theta, std::span<const double> scales);

  Coordinates coordinates;
  std::vector<double> location;
  std::vector<double> scales;
};

// Called after each step with the number of steps done; false stops the run.
using StepWatcher = std::function<bool(std::int64_t steps_done)>;

// Seconds of a whole run, by what they were spent on. For the curator alone: they depend on the
// sizes of the batches.
struct LoopTimes {
  double sampling = 0.0;
  double gradients = 0.0;  // of records; with clipping, unless that was measured
  double clipping = 0.0;
  double noise = 0.0;
  double update = 0.0;  // everything that follows a release

  double all() const { return sampling + gradients + clipping + noise + update; }
};

struct LoopOutcome {
  std::vector<double> parameters;  // of the family over theta, averaged over the last iterates
  IterateTrace locations;          // of the iterates that are averaged, by theta
  // A row-major matrix A: the average is uncertain by A A', by theta. Empty if that is not known.
  std::vector<double> location_factor;
  std::vector<std::vector<double>> samples;  // the last of a chain, by theta
  double last_clip_bound = 0.0;
  LoopTimes times;
  bool completed = false;
};

// Keys from the kernel. Neither generator may have been used before.
struct LoopRandomness {
  SecureGenerator draws = {};  // batches and variational draws
  SecureGenerator noise = {};
};

// Doubly stochastic variational inference (Jalko, Dikmen & Honkela 2017): in each step a Poisson
// sample of the records, one draw theta shared by the batch, each record's gradient by the
// coordinates (or by all of the family's parameters) clipped to the grid, one noisy sum; then, as
// post-processing, the prior, the entropy, what follows of the gradient and the next clip bound.
// The full-data gradient is estimated by the released sum / sampling rate: neither the number of
// records nor the size of a batch enters.
//
// A chain (LoopPlan::langevin) differs in what follows a release: theta is the location itself and
// moves by the full-data gradient, with noise added where the release has less than Langevin's.
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
