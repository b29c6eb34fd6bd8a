#include <dpvi/sample/internal/step_size.hpp>

#include <algorithm>
#include <cmath>

namespace dpvi {

void StepSizeAdaptation::restart(double step_size) {
  centre_ = std::log(10.0 * step_size);
  count_ = 0.0;
  error_ = 0.0;
  averaged_log_ = std::log(step_size);
}

double StepSizeAdaptation::next(double acceptance) {
  constexpr double kGamma = 0.05, kFirst = 10.0, kKappa = 0.75;
  count_ += 1.0;
  const double weight = 1.0 / (count_ + kFirst);
  error_ = (1.0 - weight) * error_ + weight * (target_ - std::min(acceptance, 1.0));
  const double log_step = std::clamp(centre_ - error_ * std::sqrt(count_) / kGamma, -50.0, 50.0);
  const double share = std::pow(count_, -kKappa);
  averaged_log_ = share * log_step + (1.0 - share) * averaged_log_;
  return std::exp(log_step);
}

double StepSizeAdaptation::averaged() const { return std::exp(averaged_log_); }

}  // namespace dpvi
