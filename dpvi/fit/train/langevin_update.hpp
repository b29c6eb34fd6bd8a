#pragma once

#include <span>
#include <vector>

#include <dpvi/family/family.hpp>
#include <dpvi/fit/plan/loop_plan.hpp>
#include <dpvi/fit/plan/loop_start.hpp>
#include <dpvi/fit/train/posterior_update.hpp>
#include <dpvi/optim/langevin.hpp>

namespace dpvi {

// Update of a Langevin chain: theta is the location itself and moves along the full-data gradient.
// Noise is added if the release has less than Langevin dynamics needs.
class LangevinUpdate {
 public:
  // All references must outlive this object. `plan.langevin` must be set.
  LangevinUpdate(const LoopPlan& plan, const LoopModel& model, const Family& family,
                 const LoopStart& start);

  std::size_t draw_size() const { return family_.draw_size(); }
  StepPoint point(std::span<const double> draw);
  UpdateDirection direction(const Released& released, const StepScale& scale) const;
  void move(const UpdateDirection& direction, double step_size);

  std::span<const double> working_point() const { return family_.location(parameters_); }
  std::span<const double> parameters() const { return parameters_; }
  const std::vector<bool>& used() const { return used_; }

 private:
  const UniformFunction& prior_;
  const Family& family_;
  const Coordinates& coordinates_;
  std::vector<bool> used_;
  std::vector<double> parameters_;
  LangevinSteps steps_;
  std::vector<double> draw_, theta_, prior_gradient_;
};

static_assert(PosteriorUpdate<LangevinUpdate>);

}  // namespace dpvi
