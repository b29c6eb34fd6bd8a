#include <dpvi/optim/optimizer.hpp>

#include <dpvi/optim/adagrad.hpp>
#include <dpvi/optim/adam.hpp>
#include <dpvi/optim/gradient_ascent.hpp>

namespace dpvi {

std::string_view name_of(OptimizerKind kind) {
  switch (kind) {
    case OptimizerKind::adam:
      return "adam";
    case OptimizerKind::adagrad:
      return "adagrad";
    case OptimizerKind::adagrad_window:
      return "adagrad-window";
    case OptimizerKind::sgd:
      return "sgd";
  }
  return "";
}

std::unique_ptr<Optimizer> make_optimizer(OptimizerKind kind, std::size_t parameter_count) {
  switch (kind) {
    case OptimizerKind::adam:
      return std::make_unique<Adam>(AdamSettings{}, parameter_count);
    case OptimizerKind::adagrad:
      return std::make_unique<AdaGrad>(parameter_count);
    case OptimizerKind::adagrad_window:
      return std::make_unique<WindowedAdaGrad>(WindowedAdaGradSettings{}, parameter_count);
    case OptimizerKind::sgd:
      break;
  }
  return std::make_unique<GradientAscent>();
}

}  // namespace dpvi
