#pragma once

#include <vector>

#include <dpvi/optim/optimizer.hpp>

namespace dpvi {

// AdaGrad (Duchi, Hazan & Singer 2011) for ascent: each entry's step is divided by the root of the
// sum of all its squared gradients.
class AdaGrad : public Optimizer {
 public:
  explicit AdaGrad(std::size_t parameter_count) : squares_(parameter_count, 0.0) {}

  void step(const UpdateDirection& direction, double learning_rate,
            std::span<double> parameters) override;

 private:
  std::vector<double> squares_;
};

struct WindowedAdaGradSettings {
  std::size_t window = 10;
  double floor = 0.1;  // added inside the root
};

// The same over the last `window` squared gradients, as in the code published with Jalko, Dikmen &
// Honkela (2017). Its steps do not shrink over time.
class WindowedAdaGrad : public Optimizer {
 public:
  WindowedAdaGrad(const WindowedAdaGradSettings& settings, std::size_t parameter_count);

  void step(const UpdateDirection& direction, double learning_rate,
            std::span<double> parameters) override;

 private:
  WindowedAdaGradSettings settings_;
  std::vector<double> squares_;  // `window` rows, one for each step; the oldest is overwritten
  std::size_t row_ = 0;
};

}  // namespace dpvi
