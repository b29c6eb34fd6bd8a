#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <dpvi/family/make_family.hpp>
#include <dpvi/fit/plan/clip_plan.hpp>
#include <dpvi/fit/plan/initial_values.hpp>
#include <dpvi/fit/plan/loop_plan.hpp>
#include <dpvi/privacy/event.hpp>

namespace dpvi {

inline constexpr std::size_t kDefaultRank = 5;

// Settings of a fit. Every default is a fixed number or derived from public facts.
struct FitSettings {
  FamilyKind family = FamilyKind::mean_field;
  std::size_t rank = kDefaultRank;  // of a family that takes one; at most the parameter count
  GradientMode gradient = GradientMode::aligned;
  ClipMode clip = ClipMode::adaptive;
  // One bound (the first one if adaptive), or one for each phase. If empty, plan_clipping() chooses
  // one.
  std::vector<double> clip_bounds;
  std::optional<double> rows;  // declared size of the table
  OptimizerKind optimizer = OptimizerKind::adam;
  std::optional<ScheduleKind> schedule;  // default: distance-scaled for Adam, else constant
  std::optional<double> learning_rate;   // default: depends on the optimizer, see fit_settings.cpp
  double averaged_share = 0.65;          // share of the iterates, counted from the end
  double initial_scale = 0.02;           // initial standard deviation in working coordinates
  std::optional<InitialValues> initial;
  // Starting points of the mode search in an unprotected fit without initial values; empty means
  // zero. The highest mode found is used.
  std::vector<std::vector<double>> mode_starts;
  std::int64_t draws = 1000;  // from the fitted posterior
  // Runs a chain of samples instead of a variational fit. Its first step size is `learning_rate`.
  std::optional<LangevinSettings> langevin;

  SharedFamily family_of(std::size_t dimension) const;
};

// Assumed table size if none is declared. If it is wrong, an adaptive clip bound moves too slowly
// or too fast.
inline constexpr double kUndeclaredRows = 10000.0;

// Completes the settings with the phases of a run and its clipping.
LoopPlan make_loop_plan(std::span<const GaussianPhase> run, const FitSettings& settings,
                        const ClipPlan& clip);

}  // namespace dpvi
