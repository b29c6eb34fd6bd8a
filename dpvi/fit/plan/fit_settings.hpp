#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <dpvi/family/make_family.hpp>
#include <dpvi/fit/plan/clip_plan.hpp>
#include <dpvi/fit/plan/initial_values.hpp>
#include <dpvi/fit/plan/loop_plan.hpp>
#include <dpvi/privacy/event.hpp>

namespace dpvi {

// How the posterior follows from the releases.
enum class PosteriorKind {
  automatic,   // trace where it applies, else variational
  trace,       // every release is a measurement; the posterior is inferred from all of them
  variational  // releases move a Gaussian by stochastic gradient steps, as in the 2017 paper
};
inline constexpr PosteriorKind kPosteriors[] = {PosteriorKind::automatic, PosteriorKind::trace,
                                                PosteriorKind::variational};

std::string_view name_of(PosteriorKind kind);

// Settings of a fit that change its accuracy and never its guarantee. Every default is a fixed
// number or derived from public facts.
struct FitSettings {
  PosteriorKind posterior = PosteriorKind::automatic;
  FamilyKind family = FamilyKind::mean_field;
  std::size_t rank = 5;  // of a family that takes one; at most the parameter count
  GradientMode gradient = GradientMode::aligned;
  ClipMode clip = ClipMode::adaptive;
  // Without a law that clipping can use, gradients are clipped around zero all the same.
  ClipCentre clip_centre = ClipCentre::law;
  // One bound (the first one if adaptive), or one for each phase. If empty, plan_clipping() chooses
  // one.
  std::vector<double> clip_bounds = {};
  std::optional<double> rows = std::nullopt;  // declared size of the table
  OptimizerKind optimizer = OptimizerKind::adam;
  std::optional<ScheduleKind> schedule = std::nullopt;  // default_schedule() if not given
  std::optional<double> learning_rate = std::nullopt;   // if not given, derived from the optimizer
  double averaged_share = kDefaultAveragedShare;  // share of the iterates, counted from the end
  double initial_scale = 0.02;  // initial standard deviation in working coordinates
  std::optional<InitialValues> initial = std::nullopt;
  // Starting points of the mode search in an unprotected fit without initial values; empty means
  // zero. The highest mode found is used.
  std::vector<std::vector<double>> mode_starts = {};
  std::int64_t draws = 1000;  // from the fitted posterior
  // Runs a chain of samples instead of a variational fit. Its first step size is `learning_rate`.
  std::optional<LangevinSettings> langevin = std::nullopt;

  SharedFamily family_of(std::size_t dimension) const;
};

// An `averaged_share` so small that the result is the last iterate.
inline constexpr double kLastIterateOnly = 1e-12;

inline constexpr std::int64_t kLargestRank = 1000;
inline constexpr std::int64_t kMostDraws = 1'000'000;
inline constexpr std::int64_t kMostRows = std::int64_t{1} << 40;

// Distance-scaled steps for Adam, constant ones for the other optimizers.
ScheduleKind default_schedule(OptimizerKind optimizer);

// Throws UsageError with field, value and rule for a setting outside its rule. `phases` is the
// number of phases in the privacy request; 0 if it has none.
void check_fit_settings(const FitSettings& settings, std::size_t phases);

// Assumed table size if none is declared. If it is wrong, an adaptive clip bound moves too slowly
// or too fast.
inline constexpr double kUndeclaredRows = 10000.0;

// Completes the settings with the phases of a run and its clipping.
LoopPlan make_loop_plan(std::span<const GaussianPhase> run, const FitSettings& settings,
                        const ClipPlan& clip);

}  // namespace dpvi
