#pragma once

#include <vector>

#include <dpvi/optim/optimizer.hpp>

namespace dpvi {

// Decay rates of the running means of the gradient and its square. The second is .99, not the usual
// .999: a private run has hundreds of steps, not hundreds of thousands.
struct AdamSettings {
  double first_decay = 0.9;
  double second_decay = 0.99;
  double floor = 1e-8;  // added to the root of the running square
};

// Adam (Kingma & Ba 2015) for ascent.
class Adam : public Optimizer {
 public:
  Adam(const AdamSettings& settings, std::size_t parameter_count);

  void step(const UpdateDirection& direction, double learning_rate,
            std::span<double> parameters) override;

 private:
  AdamSettings settings_;
  std::vector<double> mean_;
  std::vector<double> square_;
  double first_weight_ = 1.0;  // decay^t, which corrects the bias of an average that starts at zero
  double second_weight_ = 1.0;
};

}  // namespace dpvi
