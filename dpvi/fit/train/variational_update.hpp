#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <dpvi/family/family.hpp>
#include <dpvi/fit/plan/loop_plan.hpp>
#include <dpvi/fit/plan/loop_start.hpp>
#include <dpvi/fit/train/posterior_update.hpp>
#include <dpvi/optim/distance_scaled_steps.hpp>

namespace dpvi {

// Doubly stochastic variational inference (Jalko, Dikmen & Honkela 2017). Each step draws one theta
// from the fitted Gaussian. The prior, the entropy and the terms that follow from the gradient in
// theta are added to the release as post-processing.
class VariationalUpdate {
 public:
  // All references must outlive this object.
  VariationalUpdate(const LoopPlan& plan, const LoopModel& model, const Family& family,
                    const LoopStart& start);

  std::size_t draw_size() const { return family_.draw_size(); }
  StepPoint point(std::span<const double> draw);
  UpdateDirection direction(const Released& released, const StepScale& scale) const;
  void move(const UpdateDirection& direction, double step_size);

  std::span<const double> working_point() const { return z_; }
  std::span<const double> parameters() const { return parameters_; }
  const std::vector<bool>& used() const { return used_; }

 private:
  // Contribution of the records to the full-data gradient in the family parameters.
  std::vector<double> record_gradient(std::span<const double> released, double sampling_rate) const;

  const UniformFunction& prior_;
  const Family& family_;
  const Coordinates& coordinates_;
  GradientMode gradient_;  // what a step releases
  std::vector<bool> used_;
  std::vector<double> parameters_;
  std::unique_ptr<Optimizer> optimizer_;
  std::optional<DistanceScaledSteps> distance_;
  std::vector<double> z_, theta_, prior_gradient_;
  std::vector<GradientTerm> terms_;
};

static_assert(PosteriorUpdate<VariationalUpdate>);

}  // namespace dpvi
