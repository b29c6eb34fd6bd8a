#include <dpvi/optim/langevin.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace dpvi {

double additional_langevin_noise(double step_size, double gradient_noise_variance) {
  return std::sqrt(std::max(0.0, 1.0 / step_size - gradient_noise_variance));
}

void LangevinSteps::step(const UpdateDirection& direction, double learning_rate,
                         std::span<double> parameters) {
  const std::span<const double> gradient = direction.values();
  assert(gradient.size() == parameters.size() && size_ <= parameters.size());
  for (std::size_t i = 0; i < gradient.size(); ++i) parameters[i] += learning_rate * gradient[i];
  double square = 0.0;
  for (const double entry : parameters.first(size_)) square += entry * entry;
  const double norm = std::sqrt(square);
  if (norm <= radius_) return;
  for (double& entry : parameters.first(size_)) entry *= radius_ / norm;
}

}  // namespace dpvi
