#pragma once

#include <cstddef>

#include <dpvi/optim/optimizer.hpp>

namespace dpvi {

// Settings of stochastic gradient Langevin dynamics (Welling & Teh 2011), made private by Wang,
// Fienberg & Smola (2015). It is a sampler, not an optimiser: its last iterates represent the
// posterior.
struct LangevinSettings {
  double radius = 4.0;  // theta stays in the ball of this radius around zero
  std::size_t kept_samples = 100;
};

// Standard deviation of the noise to add to a gradient whose own noise has the given variance. A
// step of size `step_size` then moves by noise of variance `step_size` at least.
double additional_langevin_noise(double step_size, double gradient_noise_variance);

// Plain steps, each followed by a projection of the first `size` parameters into the ball.
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
