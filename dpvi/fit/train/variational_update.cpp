#include <dpvi/fit/train/variational_update.hpp>

namespace dpvi {

VariationalUpdate::VariationalUpdate(const LoopPlan& plan, const LoopModel& model,
                                     const Family& family, const LoopStart& start)
    : prior_(*model.prior),
      family_(family),
      coordinates_(start.coordinates),
      gradient_(plan.gradient),
      used_(coordinates_.used(model.used_by_records)),
      parameters_(family.parameters_of_scales(start.location, start.scales)),
      optimizer_(make_optimizer(plan.optimizer, family.parameter_count())),
      z_(family.dimension()),
      theta_(family.dimension()),
      prior_gradient_(family.dimension()) {
  if (plan.schedule == ScheduleKind::distance) distance_.emplace(start.location);
}

StepPoint VariationalUpdate::point(std::span<const double> draw) {
  family_.transform(parameters_, draw, z_);
  coordinates_.to_theta(z_, theta_);
  prior_.value_and_gradient(theta_, prior_gradient_);
  coordinates_.pull_back(prior_gradient_);
  terms_ = family_.gradient_terms(parameters_, draw);
  if (gradient_ == GradientMode::aligned) return {.theta = theta_};
  return {.theta = theta_, .joint = terms_};
}

std::vector<double> VariationalUpdate::record_gradient(std::span<const double> released,
                                                       double sampling_rate) const {
  std::vector<double> gradient(parameters_.size(), 0.0);
  if (gradient_ == GradientMode::joint) {
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      if (used_[terms_[i].coordinate]) gradient[i] = released[i] / sampling_rate;
    }
    return gradient;
  }
  std::vector<double> at_z(theta_.size(), 0.0);
  for (std::size_t i = 0; i < at_z.size(); ++i) {
    if (used_[i]) at_z[i] = released[i] / sampling_rate;
  }
  add_terms(terms_, at_z, gradient);
  return gradient;
}

UpdateDirection VariationalUpdate::direction(const Released& released,
                                             const StepScale& scale) const {
  return {released, [&](std::span<const double> values) {
            std::vector<double> gradient = record_gradient(values, scale.sampling_rate);
            add_terms(terms_, prior_gradient_, gradient);
            family_.add_entropy_gradient(parameters_, gradient);
            return gradient;
          }};
}

void VariationalUpdate::move(const UpdateDirection& direction, double step_size) {
  const std::vector<double> before = parameters_;
  optimizer_->step(direction, step_size, parameters_);
  if (distance_) distance_->lengthen(before, parameters_);
}

}  // namespace dpvi
