#include <dpvi/optim/adagrad.hpp>

#include <cassert>
#include <cmath>

namespace dpvi {

void AdaGrad::step(const UpdateDirection& direction, double learning_rate,
                   std::span<double> parameters) {
  const std::span<const double> gradient = direction.values();
  assert(gradient.size() == squares_.size() && parameters.size() == squares_.size());
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    squares_[i] += gradient[i] * gradient[i];
    if (squares_[i] > 0.0) parameters[i] += learning_rate * gradient[i] / std::sqrt(squares_[i]);
  }
}

WindowedAdaGrad::WindowedAdaGrad(const WindowedAdaGradSettings& settings,
                                 std::size_t parameter_count)
    : settings_(settings), squares_(settings.window * parameter_count, 0.0) {}

void WindowedAdaGrad::step(const UpdateDirection& direction, double learning_rate,
                           std::span<double> parameters) {
  const std::span<const double> gradient = direction.values();
  const std::size_t size = parameters.size();
  assert(gradient.size() == size && squares_.size() == settings_.window * size);
  for (std::size_t i = 0; i < size; ++i) {
    squares_[row_ * size + i] = gradient[i] * gradient[i];
    double sum = settings_.floor;
    for (std::size_t row = 0; row < settings_.window; ++row) sum += squares_[row * size + i];
    parameters[i] += learning_rate * gradient[i] / std::sqrt(sum);
  }
  row_ = (row_ + 1) % settings_.window;
}

}  // namespace dpvi
