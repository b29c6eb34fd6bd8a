#include <dpvi/optim/gradient_ascent.hpp>

#include <cassert>

namespace dpvi {

void GradientAscent::step(const UpdateDirection& direction, double learning_rate,
                          std::span<double> parameters) {
  const std::span<const double> gradient = direction.values();
  assert(gradient.size() == parameters.size());
  for (std::size_t i = 0; i < gradient.size(); ++i) parameters[i] += learning_rate * gradient[i];
}

}  // namespace dpvi
