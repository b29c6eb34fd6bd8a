#include <dpvi/fit/train/langevin_update.hpp>

namespace dpvi {

LangevinUpdate::LangevinUpdate(const LoopPlan& plan, const LoopModel& model, const Family& family,
                               const LoopStart& start)
    : prior_(*model.prior),
      family_(family),
      coordinates_(start.coordinates),
      used_(coordinates_.used(model.used_by_records)),
      parameters_(family.parameters_of_scales(start.location, start.scales)),
      steps_(plan.langevin->radius, family.dimension()),
      theta_(family.dimension()),
      prior_gradient_(family.dimension()) {}

StepPoint LangevinUpdate::point(std::span<const double> draw) {
  draw_.assign(draw.begin(), draw.end());
  coordinates_.to_theta(family_.location(parameters_), theta_);
  prior_.value_and_gradient(theta_, prior_gradient_);
  coordinates_.pull_back(prior_gradient_);
  return {.theta = theta_};
}

UpdateDirection LangevinUpdate::direction(const Released& released, const StepScale& scale) const {
  const double spread = additional_langevin_noise(scale.step_size, scale.noise_variance);
  return {released, [&](std::span<const double> values) {
            std::vector<double> gradient(parameters_.size(), 0.0);
            for (std::size_t i = 0; i < theta_.size(); ++i) {
              gradient[i] =
                  values[i] / scale.sampling_rate + prior_gradient_[i] + spread * draw_[i];
            }
            return gradient;
          }};
}

void LangevinUpdate::move(const UpdateDirection& direction, double step_size) {
  steps_.step(direction, step_size, parameters_);
}

}  // namespace dpvi
