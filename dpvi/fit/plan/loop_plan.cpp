#include <dpvi/fit/plan/loop_plan.hpp>

namespace dpvi {

std::string_view name_of(GradientMode mode) {
  return mode == GradientMode::aligned ? "aligned" : "joint";
}

std::int64_t LoopPlan::steps() const {
  std::int64_t sum = 0;
  for (const LoopPhase& phase : phases) sum += phase.steps;
  return sum;
}

}  // namespace dpvi
