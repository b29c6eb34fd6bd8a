#pragma once

#include <memory>
#include <span>
#include <string_view>

#include <dpvi/optim/update_direction.hpp>

namespace dpvi {

// Moves parameters uphill, given nothing but releases.
class Optimizer {
 public:
  virtual ~Optimizer() = default;

  virtual void step(const UpdateDirection& direction, double learning_rate,
                    std::span<double> parameters) = 0;
};

enum class OptimizerKind { adam, adagrad, adagrad_window, sgd };

inline constexpr OptimizerKind kOptimizers[] = {OptimizerKind::adam, OptimizerKind::adagrad,
                                                OptimizerKind::adagrad_window, OptimizerKind::sgd};

std::string_view name_of(OptimizerKind kind);

std::unique_ptr<Optimizer> make_optimizer(OptimizerKind kind, std::size_t parameter_count);

}  // namespace dpvi
