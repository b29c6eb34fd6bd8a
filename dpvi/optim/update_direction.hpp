#pragma once

#include <functional>
#include <span>
#include <vector>

#include <dpvi/privacy/released.hpp>

namespace dpvi {

// Direction of an optimiser's step. It can be made from a release only: `post_process` turns the
// released values into a direction with the help of public values (the draw, the prior, the current
// parameters), at no additional privacy cost.
class UpdateDirection {
 public:
  using PostProcess = std::function<std::vector<double>(std::span<const double> released)>;

  UpdateDirection(const Released& released, const PostProcess& post_process)
      : values_(post_process(released.values())) {}

  std::span<const double> values() const { return values_; }

 private:
  std::vector<double> values_;
};

}  // namespace dpvi
