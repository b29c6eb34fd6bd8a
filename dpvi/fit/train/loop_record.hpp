#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <dpvi/family/family.hpp>
#include <dpvi/fit/plan/loop_plan.hpp>
#include <dpvi/fit/plan/loop_start.hpp>
#include <dpvi/fit/train/loop_outcome.hpp>
#include <dpvi/fit/train/release_regression.hpp>
#include <dpvi/optim/iterate_path.hpp>
#include <dpvi/optim/iterate_trace.hpp>
#include <dpvi/optim/tail_average.hpp>
#include <dpvi/optim/update_direction.hpp>

namespace dpvi {

// Accumulates the iterates and directions of a run: their average, their trace, the uncertainty
// implied by the releases, and the last samples of a chain.
class LoopRecord {
 public:
  // All references must outlive this object.
  LoopRecord(const LoopPlan& plan, const Family& family, const Coordinates& coordinates);

  // `point` is where the direction was computed, in working coordinates.
  void add_direction(std::span<const double> point, const UpdateDirection& direction,
                     const StepNoise& noise);
  void add_iterate(std::span<const double> parameters);

  // Returns everything derived from the iterates. A run without steps ends at `parameters`.
  LoopOutcome outcome(std::span<const double> parameters, const std::vector<bool>& used);

 private:
  const LoopPlan& plan_;
  const Family& family_;
  const Coordinates& coordinates_;
  TailAverage average_;
  IterateTrace locations_;
  IteratePath path_;
  ReleaseRegression releases_;
  std::vector<std::vector<double>> samples_;
  std::int64_t iterates_ = 0;
};

}  // namespace dpvi
