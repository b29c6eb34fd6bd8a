#pragma once

#include <cstdint>
#include <string_view>

namespace dpvi {

enum class ScheduleKind {
  constant,
  decay,     // falls with the square root of the step number, to a fifth of the first step size
  warm_up,   // rises over the first tenth of the steps, then stays constant
  cosine,    // half a cosine wave, down to zero
  harmonic,  // falls as 1 / step number, to a tenth of the first step size
  distance   // constant, but longer for parameters far from their start (DistanceScaledSteps)
};

inline constexpr ScheduleKind kSchedules[] = {ScheduleKind::constant, ScheduleKind::decay,
                                              ScheduleKind::warm_up,  ScheduleKind::cosine,
                                              ScheduleKind::harmonic, ScheduleKind::distance};

std::string_view name_of(ScheduleKind kind);

// Step sizes of a run of known length, before they are scaled for single parameters. They are
// public: they depend on the step number alone.
class StepSchedule {
 public:
  StepSchedule(ScheduleKind kind, double learning_rate, std::int64_t steps)
      : kind_(kind), learning_rate_(learning_rate), steps_(steps) {}

  // `step` counts from 0.
  double step_size(std::int64_t step) const;

 private:
  ScheduleKind kind_;
  double learning_rate_;
  std::int64_t steps_;
};

}  // namespace dpvi
