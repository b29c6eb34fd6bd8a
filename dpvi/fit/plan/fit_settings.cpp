#include <dpvi/fit/plan/fit_settings.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

// Step sizes in working coordinates, in which the optimum is about one unit from the start. Adam's
// random walk over the whole run covers about that distance. Windowed AdaGrad uses the published
// step size. Adam divides gradients by their size; for plain gradients the step size does so.
double default_learning_rate(OptimizerKind optimizer, const LoopPlan& plan) {
  const double adam = 1.0 / std::sqrt(static_cast<double>(std::max<std::int64_t>(plan.steps(), 1)));
  switch (optimizer) {
    case OptimizerKind::adam:
      break;
    case OptimizerKind::adagrad:
      return 0.5;
    case OptimizerKind::adagrad_window:
      return 0.1;
    case OptimizerKind::sgd: {
      double longest = 0.25 * plan.clip.rows;  // gradient norm one unit from the optimum
      for (const LoopPhase& phase : plan.phases) {
        longest = std::max(longest, plan.clip.first_bound * phase.grid.noise_multiplier() /
                                        phase.sampling_rate.value());
      }
      return adam / longest;
    }
  }
  return adam;
}

void check_range(const char* setting, double value, double smallest, double largest) {
  if (value >= smallest && value <= largest) return;
  throw UsageError(
      kValueOutsideRule,
      fmt::format("{} is {}; it must be from {} to {}.", setting, value, smallest, largest), "");
}

void check_positive(const char* setting, double value) {
  if (value > 0.0 && std::isfinite(value)) return;
  throw UsageError(kValueOutsideRule,
                   fmt::format("{} is {}; it must be above 0 and finite.", setting, value), "");
}

void check_clip_bounds(const std::vector<double>& bounds, std::size_t phases) {
  for (const double bound : bounds) {
    check_range("clip-bound", bound, kSmallestClipBound, kLargestClipBound);
  }
  if (bounds.size() <= 1 || bounds.size() == phases) return;
  throw UsageError(kContradiction,
                   fmt::format("clip-bound gives {} bounds for {} phases; it must be one for all "
                               "of them or one for each.",
                               bounds.size(), std::max<std::size_t>(1, phases)),
                   "Give each phase with --phase Q:S:T.");
}

}  // namespace

std::string_view name_of(PosteriorKind kind) {
  if (kind == PosteriorKind::automatic) return "auto";
  return kind == PosteriorKind::trace ? "trace" : "variational";
}

// Distance-scaled steps may grow without limit, which makes plain gradient steps diverge. The
// AdaGrad variants keep the published schedule.
ScheduleKind default_schedule(OptimizerKind optimizer) {
  return optimizer == OptimizerKind::adam ? ScheduleKind::distance : ScheduleKind::constant;
}

void check_fit_settings(const FitSettings& settings, std::size_t phases) {
  check_range("rank", static_cast<double>(settings.rank), 1, kLargestRank);
  check_clip_bounds(settings.clip_bounds, phases);
  if (settings.rows) check_range("rows", *settings.rows, 1, kMostRows);
  if (settings.learning_rate) check_positive("learning-rate", *settings.learning_rate);
  check_positive("initial-scale", settings.initial_scale);
  check_range("draws", static_cast<double>(settings.draws), 1, kMostDraws);
}

SharedFamily FitSettings::family_of(std::size_t dimension) const {
  return make_family(family, dimension, std::min(rank, dimension));
}

LoopPlan make_loop_plan(std::span<const GaussianPhase> run, const FitSettings& settings,
                        const ClipPlan& clip) {
  LoopPlan plan{.phases = {},
                .clip = clip,
                .gradient = settings.langevin ? GradientMode::aligned : settings.gradient,
                .optimizer = settings.optimizer,
                .schedule = settings.schedule.value_or(default_schedule(settings.optimizer)),
                .averaged_share = settings.averaged_share,
                .langevin = settings.langevin};
  for (const GaussianPhase& phase : run) {
    const std::size_t place = plan.phases.size();
    plan.phases.push_back({.sampling_rate = SamplingRate::from_double(phase.sampling_rate),
                           .grid = NoiseGrid(phase.noise_multiplier),
                           .steps = phase.steps});
    if (settings.clip_bounds.size() > 1) {
      plan.phases.back().clip_bound = settings.clip_bounds.at(place);
    }
  }
  plan.learning_rate =
      settings.learning_rate.value_or(default_learning_rate(settings.optimizer, plan));
  return plan;
}

}  // namespace dpvi
