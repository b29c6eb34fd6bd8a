#include <dpvi/optim/adam.hpp>

#include <cassert>
#include <cmath>

namespace dpvi {

Adam::Adam(const AdamSettings& settings, std::size_t parameter_count)
    : settings_(settings), mean_(parameter_count, 0.0), square_(parameter_count, 0.0) {}

void Adam::step(const UpdateDirection& direction, double learning_rate,
                std::span<double> parameters) {
  const std::span<const double> gradient = direction.values();
  assert(gradient.size() == mean_.size() && parameters.size() == mean_.size());
  first_weight_ *= settings_.first_decay;
  second_weight_ *= settings_.second_decay;
  for (std::size_t i = 0; i < mean_.size(); ++i) {
    mean_[i] += (1.0 - settings_.first_decay) * (gradient[i] - mean_[i]);
    square_[i] += (1.0 - settings_.second_decay) * (gradient[i] * gradient[i] - square_[i]);
    const double mean = mean_[i] / (1.0 - first_weight_);
    const double root = std::sqrt(square_[i] / (1.0 - second_weight_));
    parameters[i] += learning_rate * mean / (root + settings_.floor);
  }
}

}  // namespace dpvi
