#pragma once

#include <cstdint>
#include <string_view>

namespace dpvi {

enum class ScheduleKind {
  constant,
  decay,     // with the root of the step's number, down to a fifth of the first step size
  warm_up,   // rising over the first tenth of the steps, then constant
  cosine,    // half a wave, down to zero
  harmonic,  // as 1 / number of the step, down to a tenth of the first step size
  travelled  // constant, but longer for what has come far from its start (TravelledSteps)
};

inline constexpr ScheduleKind kSchedules[] = {ScheduleKind::constant, ScheduleKind::decay,
                                              ScheduleKind::warm_up,  ScheduleKind::cosine,
                                              ScheduleKind::harmonic, ScheduleKind::travelled};

std::string_view name_of(ScheduleKind kind);

// How large the steps of a run of known length are, before a parameter's own way is considered.
// Public: it knows the step's number alone.
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
