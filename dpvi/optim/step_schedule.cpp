#include <dpvi/optim/step_schedule.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dpvi {
namespace {

constexpr double kWarmUpShare = 0.1;
// The last step size is 1 / sqrt(1 + 24) of the first.
constexpr double kDecayLength = 24.0;
constexpr double kHarmonicFloor = 0.1;

}  // namespace

std::string_view name_of(ScheduleKind kind) {
  switch (kind) {
    case ScheduleKind::constant:
      return "constant";
    case ScheduleKind::decay:
      return "decay";
    case ScheduleKind::warm_up:
      return "warm-up";
    case ScheduleKind::cosine:
      return "cosine";
    case ScheduleKind::harmonic:
      return "harmonic";
    case ScheduleKind::distance:
      return "distance";
  }
  return "";
}

double StepSchedule::step_size(std::int64_t step) const {
  const double part = static_cast<double>(step) / static_cast<double>(std::max(steps_, step + 1));
  switch (kind_) {
    case ScheduleKind::constant:
    case ScheduleKind::distance:
      break;
    case ScheduleKind::decay:
      return learning_rate_ / std::sqrt(1.0 + kDecayLength * part);
    case ScheduleKind::warm_up: {
      const double first = 1.0 / static_cast<double>(std::max<std::int64_t>(steps_, 1));
      return learning_rate_ * std::min(1.0, (part + first) / kWarmUpShare);
    }
    case ScheduleKind::cosine:
      return learning_rate_ * 0.5 * (1.0 + std::cos(std::numbers::pi * part));
    case ScheduleKind::harmonic:
      return learning_rate_ * std::max(1.0 / static_cast<double>(step + 1), kHarmonicFloor);
  }
  return learning_rate_;
}

}  // namespace dpvi
