#include "fit_output.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "plan_output.hpp"

namespace dpvi::cli {
namespace {

using Json = nlohmann::ordered_json;

// Noise of the whole run in one entry of the summed gradient, in clip bounds.
double gradient_noise(const PrivacyPlan& plan) {
  const GaussianPhase& phase = plan.run.front();
  return phase.noise_multiplier /
         (phase.sampling_rate *
          std::sqrt(static_cast<double>(std::max<std::int64_t>(phase.steps, 1))));
}

std::string forecast_table(const RecordModel& model, const NoiseForecast& forecast, double rows) {
  std::string text = fmt::format(
      "Forecast for {:.0f} records like made-up ones (unconstrained scale)\n"
      "  {:<20}{:>14}{:>14}\n",
      rows, "", "noise sd", "posterior sd");
  bool drowned = false;
  for (std::size_t i = 0; i < forecast.noise_sd.size(); ++i) {
    text += fmt::format("  {:<20}{:>14.3g}{:>14.3g}\n", model.unconstrained_names()[i],
                        forecast.noise_sd[i], forecast.posterior_sd[i]);
    drowned = drowned || forecast.noise_sd[i] > 10.0 * forecast.posterior_sd[i];
  }
  if (drowned) {
    text +=
        "warning: the noise is more than ten times the posterior's own uncertainty. More records,\n"
        "a larger epsilon or fewer parameters would help; standardised columns often do.\n";
  }
  return text;
}

std::string forecast_text(const RecordModel& model, const PrivacyPlan& plan, const MockStudy& study,
                          double clip_bound, std::optional<double> rows) {
  std::string text = fmt::format("Clip bound {:.4g} per record.\n", clip_bound);
  if (!rows) return text + "No noise forecast: declare the table's size (rows, or --rows).\n";
  const NoiseForecast forecast = forecast_noise(study, clip_bound, gradient_noise(plan), *rows);
  return text + forecast_table(model, forecast, *rows);
}

}  // namespace

std::string dry_run_output(const RecordModel& model, const PrivacyPlan& plan,
                           const MockStudy& study, double clip_bound, std::optional<double> rows,
                           bool json) {
  if (!json) return plan_text(plan) + "\n" + forecast_text(model, plan, study, clip_bound, rows);
  Json document = Json::parse(plan_json(plan));
  document["clip_bound"] = clip_bound;
  document["forecast"] = nullptr;
  if (rows) {
    const NoiseForecast forecast = forecast_noise(study, clip_bound, gradient_noise(plan), *rows);
    document["forecast"] = {{"rows", *rows},
                            {"names", model.unconstrained_names()},
                            {"noise_sd", forecast.noise_sd},
                            {"posterior_sd", forecast.posterior_sd}};
  }
  return document.dump(2) + "\n";
}

std::string fit_preamble(const RecordModel& model, const PrivacyPlan& plan, const MockStudy& study,
                         double clip_bound, std::optional<double> rows) {
  const GaussianPhase& phase = plan.run.front();
  return fmt::format(
             "epsilon {:.4g}, delta {:.3g} ({} adjacency): {} steps, sampling rate {:.4g}, noise "
             "multiplier {:.4g}\n",
             plan.epsilon, plan.delta,
             plan.adjacency == Adjacency::substitute ? "substitute" : "add/remove", phase.steps,
             phase.sampling_rate, phase.noise_multiplier) +
         forecast_text(model, plan, study, clip_bound, rows);
}

std::string fit_output(const FitResult& result, const std::string& folder, bool json) {
  if (json) {
    Json document = {{"ok", true}, {"bundle", folder}, {"private", result.privacy.has_value()}};
    if (result.privacy) {
      document["epsilon"] = result.privacy->epsilon;
      document["delta"] = result.privacy->delta;
    }
    return document.dump(2) + "\n";
  }
  return fmt::format("Bundle: {}\nNext: dpvi summary {}\n", folder, folder);
}

}  // namespace dpvi::cli
