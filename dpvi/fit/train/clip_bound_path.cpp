#include <dpvi/fit/train/clip_bound_path.hpp>

namespace dpvi {
namespace {

std::optional<AdaptiveClipBound> adaptive_bound(const LoopPlan& plan) {
  if (!plan.clip.coordinate) return std::nullopt;
  return AdaptiveClipBound({.first_bound = plan.clip.first_bound,
                            .first_spread = plan.clip.first_spread,
                            .coordinate = *plan.clip.coordinate,
                            .steps = static_cast<double>(plan.steps())},
                           {});
}

}  // namespace

ClipBoundPath::ClipBoundPath(const LoopPlan& plan)
    : plan_(plan), adaptive_(adaptive_bound(plan)), fixed_(plan.clip.first_bound) {}

void ClipBoundPath::start(const LoopPhase& phase) {
  if (phase.clip_bound) fixed_ = *phase.clip_bound;
  if (!adaptive_) return;
  const AdaptiveClipPhase clip{.noise_multiplier = phase.grid.noise_multiplier(),
                               .expected_batch = plan_.clip.rows * phase.sampling_rate.value()};
  if (phase.clip_bound) {
    adaptive_->start_phase(clip, *phase.clip_bound);
  } else {
    adaptive_->start_phase(clip);
  }
}

void ClipBoundPath::follow(const Released& released) {
  if (adaptive_) adaptive_->move(released);
}

}  // namespace dpvi
