#pragma once

namespace dpvi {

// Dual averaging of the log step size (Hoffman & Gelman 2014, section 3.2), which makes the mean
// acceptance approach a target.
class StepSizeAdaptation {
 public:
  explicit StepSizeAdaptation(double target) : target_(target) {}

  // Starts again from a step size.
  void restart(double step_size);
  // Returns the step size to try next.
  double next(double acceptance);
  // The step size to keep at the end.
  double averaged() const;

 private:
  double target_;
  double centre_ = 0.0;        // mu
  double count_ = 0.0;         // t
  double error_ = 0.0;         // H-bar
  double averaged_log_ = 0.0;  // x-bar
};

}  // namespace dpvi
