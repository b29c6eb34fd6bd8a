#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <dpvi/fit/plan/clip_plan.hpp>
#include <dpvi/optim/langevin.hpp>
#include <dpvi/optim/optimizer.hpp>
#include <dpvi/optim/step_schedule.hpp>
#include <dpvi/privacy/noise_grid.hpp>
#include <dpvi/random/sampling_rate.hpp>

namespace dpvi {

// Steps that share one sampling rate and one noise multiplier.
struct LoopPhase {
  SamplingRate sampling_rate;
  NoiseGrid grid;
  std::int64_t steps = 0;
  std::optional<double> clip_bound = {};  // at the start of the phase; nullopt: unchanged
};

// The part of a record's gradient that is clipped and released.
enum class GradientMode {
  aligned,  // gradient in theta; other family parameters follow from it
  joint     // gradient in all family parameters, as in the paper
};
inline constexpr GradientMode kGradientModes[] = {GradientMode::aligned, GradientMode::joint};

std::string_view name_of(GradientMode mode);

// The result is the mean over this share of the iterates, counted from the end.
inline constexpr double kDefaultAveragedShare = 0.65;

// Everything that determines the loop, chosen without reading a record.
struct LoopPlan {
  std::vector<LoopPhase> phases;
  ClipPlan clip;
  GradientMode gradient = GradientMode::aligned;
  OptimizerKind optimizer = OptimizerKind::adam;
  ScheduleKind schedule = ScheduleKind::constant;
  double learning_rate = 0.03;
  double averaged_share = kDefaultAveragedShare;
  // Runs a chain of locations instead of fitting a Gaussian. `optimizer` is then unused.
  std::optional<LangevinSettings> langevin = std::nullopt;

  // Total over all phases.
  std::int64_t steps() const;
};

}  // namespace dpvi
