#pragma once

#include <cstddef>

#include <dpvi/optim/optimizer.hpp>

namespace dpvi {

// A chain instead of a climb: stochastic gradient Langevin dynamics (Welling & Teh 2011), made
// private by Wang, Fienberg & Smola (2015). Its last iterates stand for the posterior.
struct LangevinSettings {
  double radius = 4.0;  // theta is kept in the ball of this radius around zero
  std::size_t kept_samples = 100;
};

// Standard deviation of what has to be added to a gradient that has noise of this variance, for a
// step of that size to move by noise of variance `step_size` at least.
double missing_langevin_noise(double step_size, double gradient_noise_variance);

// Plain steps, after which the first `size` parameters are brought back into the ball.
class LangevinSteps : public Optimizer {
 public:
  LangevinSteps(double radius, std::size_t size) : radius_(radius), size_(size) {}

  void step(const UpdateDirection& direction, double learning_rate,
            std::span<double> parameters) override;

 private:
  double radius_;
  std::size_t size_;
};

}  // namespace dpvi
