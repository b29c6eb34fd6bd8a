#include <dpvi/api/finished_fit.hpp>

#include <optional>
#include <utility>

#include <dpvi/api/fit_description.hpp>

namespace dpvi {

FitResult finished_fit(const PlannedFit& planned, FittedPosterior fitted,
                       const FitExecution& execution) {
  if (!fitted.completed) throw stopped("The privacy budget of the whole plan counts as spent.");
  if (execution.profile) execution.profile(fitted.times);
  std::optional<MeasuredPosterior> measured;
  if (fitted.site) {
    measured = {*std::move(fitted.site), *std::move(fitted.site_without_noise), *fitted.measured,
                std::move(fitted.clip_bias)};
  }
  FitResult result = describe_fit(planned.bound(), planned.settings(), std::move(fitted));
  result.loop.posterior_reason = planned.posterior_reason();
  for (const std::string& fact : planned.start_facts()) result.public_facts.push_back(fact);
  result.started_at = planned.planned_at();
  result.inspected_first = planned.inspect_first() == InspectFirst::yes;
  if (const auto forecast = planned.forecast()) {
    result.forecast = {forecast->noise_sd, forecast->posterior_sd};
  }
  const std::int64_t draws = planned.settings().draws;
  if (measured) {
    sample_outputs(result, planned.bound(), draws, *measured);
  } else {
    draw_outputs(result, planned.bound(), draws, std::nullopt);
  }
  return result;
}

}  // namespace dpvi
