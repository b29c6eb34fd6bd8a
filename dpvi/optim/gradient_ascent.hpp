#pragma once

#include <dpvi/optim/optimizer.hpp>

namespace dpvi {

// Plain stochastic gradient steps.
class GradientAscent : public Optimizer {
 public:
  void step(const UpdateDirection& direction, double learning_rate,
            std::span<double> parameters) override;
};

}  // namespace dpvi
