#include "fit_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <span>

#include "budget_output.hpp"
#include "json.hpp"
#include "plan_output.hpp"

namespace dpvi::cli {
namespace {

// A parameter is reported if noise exceeds this multiple of its posterior standard deviation.
constexpr double kMaskingRatio = 10.0;

std::string posterior_text(const PlannedFit& fit) {
  const std::string& reason = fit.posterior_reason();
  if (fit.posterior() == PosteriorKind::trace) {
    return fmt::format("The posterior is inferred from all releases: {}.\n", reason);
  }
  return fmt::format("The posterior is moved by stochastic gradient steps: {}.\n", reason);
}

std::string centre_text(const ClipPlan& clip, bool corrected) {
  if (clip.mode == ClipMode::normalised) return {};
  if (clip.centre == ClipCentre::law) {
    return fmt::format("Clipping is conditionally unbiased: {}.\n", clip.centre_reason);
  }
  return fmt::format(
      "Gradients are clipped around zero, {}: {}.\n",
      corrected ? "and mock records say what that changes" : "which biases the result",
      clip.centre_reason);
}

std::string clip_text(const ClipPlan& clip) {
  switch (clip.mode) {
    case ClipMode::fixed:
      return fmt::format("Clip bound: fixed, {:.4g} per record.\n", clip.first_bound);
    case ClipMode::normalised:
      return fmt::format("Every record's gradient is scaled to length {:.4g}, approximately.\n",
                         clip.first_bound);
    case ClipMode::adaptive:
      break;
  }
  return fmt::format(
      "Clip bound: adaptive, {:.4g} at first; the target is that {:.1f} % of the records stay "
      "below it.\n",
      clip.first_bound, 100.0 * clip.coordinate->unshortened_share);
}

// Names of the parameters that noise masks: the fit is not expected to improve on the prior, or
// noise far exceeds the posterior standard deviation.
std::vector<std::string> masked_by_noise(const PlannedFit& fit, const NoiseForecast& forecast) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < forecast.noise_sd.size(); ++i) {
    const double noise = forecast.noise_sd[i];
    if (noise > forecast.prior_sd[i] || noise > kMaskingRatio * forecast.posterior_sd[i]) {
      names.push_back(fit.model().unconstrained_names()[i]);
    }
  }
  return names;
}

// Names of the parameters that clipping may move by more than noise and records leave open.
std::vector<std::string> moved_by_clipping(const PlannedFit& fit, const NoiseForecast& forecast) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < forecast.clip_shift.size(); ++i) {
    const double open = std::hypot(forecast.noise_sd[i], forecast.posterior_sd[i]);
    if (forecast.clip_shift[i] > open) names.push_back(fit.model().unconstrained_names()[i]);
  }
  return names;
}

std::string record_text(const Binding& binding) {
  if (!binding.unit) {
    return binding.table_slot ? "one row of one of the tables" : "one row of the table";
  }
  return fmt::format("all rows with the same {}", binding.unit->name);
}

// Describes records that consist of several rows; empty otherwise.
std::string unit_text(const Binding& binding) {
  if (!binding.unit && binding.table_slot) return "One record is one row of one of the tables.\n";
  if (!binding.unit) return {};
  return fmt::format("One record is {}; the first {} rows of each are used.\n",
                     record_text(binding), binding.unit->max_rows);
}

std::string forecast_table(const PlannedFit& fit, const NoiseForecast& forecast) {
  const std::string each =
      fit.binding().unit ? fmt::format(" of {:.0f} rows each", fit.study().rows_per_record) : "";
  std::string text = fmt::format(
      "Forecast for {:.0f} records{}, based on mock records (unconstrained scale)\n"
      "  {:<20}{:>14}{:>14}{:>14}{:>14}\n",
      fit.study().records_in(*fit.settings().rows), each, "", "noise sd", "clip shift",
      "posterior sd", "prior sd");
  for (std::size_t i = 0; i < forecast.noise_sd.size(); ++i) {
    text += fmt::format("  {:<20}{:>14.3g}{:>14.3g}{:>14.3g}{:>14.3g}\n",
                        fit.model().unconstrained_names()[i], forecast.noise_sd[i],
                        forecast.clip_shift[i], forecast.posterior_sd[i], forecast.prior_sd[i]);
  }
  return text;
}

// Warns about columns of undeclared scale. Neither the fit nor the forecast knows their scale.
std::string unknown_columns_text(const std::vector<std::string>& columns) {
  constexpr std::size_t kShown = 8;
  if (columns.empty()) return {};
  const std::span<const std::string> all(columns);
  return fmt::format(
      "warning: no scale is declared for {}{}.\n"
      "The fit assumes that such columns have mean 0 and sd 1, approximately. If they do not,\n"
      "noise will mask the result and the forecast is wrong. Declare a mean and sd, or bounds,\n"
      "in a schema.\n",
      fmt::join(all.first(std::min(kShown, all.size())), ", "),
      all.size() > kShown ? fmt::format(" and {} more columns", all.size() - kShown) : "");
}

std::string warnings(const PlannedFit& fit, const NoiseForecast& forecast) {
  std::string text = unknown_columns_text(fit.study().unknown_columns);
  const double largest_delta = 0.1 / *fit.settings().rows;
  if (fit.privacy().delta > largest_delta) {
    text += fmt::format(
        "warning: delta {:.3g} is above 1/(10 rows) = {:.3g}. It is the probability that\n"
        "the bound fails, and should be much smaller than 1/rows, for example --delta {:.0e}.\n",
        fit.privacy().delta, largest_delta, std::pow(10.0, std::floor(std::log10(largest_delta))));
  }
  if (const auto names = masked_by_noise(fit, forecast); !names.empty()) {
    text += fmt::format(
        "warning: noise will mask {}. More records, a larger epsilon, fewer parameters or a\n"
        "more informative prior would help.\n",
        fmt::join(names, ", "));
  }
  if (const auto names = moved_by_clipping(fit, forecast); !names.empty()) {
    text += fmt::format(
        "warning: clipping may move {} by more than its uncertainty. This is bias, not noise:\n"
        "neither more records nor a larger epsilon removes it at this clip bound. A larger\n"
        "--clip-bound, --posterior trace, or declared means and sds of long columns would.\n",
        fmt::join(names, ", "));
  }
  return text;
}

// Approximate table size from which noise masks no parameter. Used if the number of rows is
// undeclared.
struct EnoughRows {
  std::optional<double> rows;                // nullopt: a billion rows do not suffice
  std::vector<std::string> masked_by_noise;  // for the largest table that is too small
};

EnoughRows enough_rows(const PlannedFit& fit) {
  constexpr double kFewest = 10.0, kMax = 1e9, kStep = 4.0;
  constexpr int kHalvings = 3;
  EnoughRows enough;
  const auto suffice = [&](double rows) {
    auto names = masked_by_noise(fit, fit.forecast_for(rows));
    if (!names.empty())
      enough.masked_by_noise = std::move(names);
    else
      enough.rows = rows;
    return enough.rows == rows;
  };
  double rows = kFewest;
  while (!suffice(rows) && rows < kMax) rows *= kStep;
  double step = std::sqrt(kStep);
  for (int i = 0; enough.rows && i < kHalvings; ++i, step = std::sqrt(step)) {
    suffice(*enough.rows / step);
  }
  return enough;
}

std::string two_digits(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1.0);
  return fmt::format("{:.0f}", std::ceil(value / unit) * unit);
}

std::string undeclared_rows_text(const PlannedFit& fit) {
  const std::string declare =
      "The number of rows is not declared (rows in the schema, or --rows), so there is no\n"
      "noise forecast. ";
  const EnoughRows enough = enough_rows(fit);
  if (enough.masked_by_noise.empty()) return declare + "\n";
  const std::string names = fmt::format("{}", fmt::join(enough.masked_by_noise, ", "));
  if (!enough.rows) {
    return declare + fmt::format(
                         "On mock records, noise masks {} with up to a billion rows: records say\n"
                         "too little about it. A more informative prior would help.\n",
                         names);
  }
  return declare + fmt::format(
                       "On mock records, a table of fewer than about {} rows is too\n"
                       "small for this budget: noise would mask {}.\n",
                       two_digits(*enough.rows), names);
}

std::string forecast_text(const PlannedFit& fit) {
  const ClipPlan& clip = fit.plan().loop().clip;
  const bool measured = fit.posterior() == PosteriorKind::trace;
  std::string text = posterior_text(fit) + unit_text(fit.binding()) +
                     (measured ? "" : clip_text(clip)) + centre_text(clip, measured);
  const auto found = fit.forecast();
  if (!found) {
    return text + undeclared_rows_text(fit) + unknown_columns_text(fit.study().unknown_columns);
  }
  return text + forecast_table(fit, *found) + warnings(fit, *found);
}

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json forecast_json(const PlannedFit& fit, const NoiseForecast& forecast) {
  Json prior = Json::array();
  for (const double sd : forecast.prior_sd) prior.push_back(number_or_null(sd));
  return {{"rows", *fit.settings().rows},
          {"records", fit.study().records_in(*fit.settings().rows)},
          {"rows_per_record", fit.study().rows_per_record},
          {"names", fit.model().unconstrained_names()},
          {"noise_sd", forecast.noise_sd},
          {"clip_shift", forecast.clip_shift},
          {"posterior_sd", forecast.posterior_sd},
          {"prior_sd", prior},
          {"masked_by_noise", masked_by_noise(fit, forecast)},
          {"moved_by_clipping", moved_by_clipping(fit, forecast)},
          {"unknown_columns", fit.study().unknown_columns}};
}

}  // namespace

std::string dry_run_output(const PlannedFit& fit, bool json) {
  if (!json)
    return plan_text(fit.privacy(), record_text(fit.binding())) + "\n" + forecast_text(fit) +
           "'dpvi simulate' fits mock tables and tells more exactly what a fit will be worth.\n";
  Json document = Json::parse(plan_json(fit.privacy()));
  const ClipPlan& clip = fit.plan().loop().clip;
  document["posterior"] = name_of(fit.posterior());
  document["posterior_reason"] = fit.posterior_reason();
  document["clip"] = name_of(clip.mode);
  document["clip_bound"] = clip.first_bound;
  document["clip_centre"] = name_of(clip.centre);
  document["clip_centre_reason"] = clip.centre_reason;
  for (std::size_t i = 0; i < fit.plan().loop().phases.size(); ++i) {
    const auto bound = fit.plan().loop().phases[i].clip_bound;
    if (bound) document["phases"][i]["clip_bound"] = *bound;
  }
  const auto found = fit.forecast();
  document["forecast"] = found ? forecast_json(fit, *found) : Json();
  if (!found) {
    const EnoughRows enough = enough_rows(fit);
    document["enough_rows"] = enough.rows ? Json(std::round(*enough.rows)) : Json();
    document["unknown_columns"] = fit.study().unknown_columns;
  }
  return document.dump(2) + "\n";
}

std::string fit_preamble(const PlannedFit& fit) {
  const PrivacyPlan& plan = fit.privacy();
  std::string text =
      fmt::format("epsilon {:.4g}, delta {:.3g} ({} adjacency):", plan.epsilon, plan.delta,
                  plan.adjacency == Adjacency::substitute ? "substitute" : "add/remove");
  if (fit.posterior() == PosteriorKind::trace) {
    text += fmt::format(" {} releases, all records in each", total_steps(plan.run));
    return text + "\n" + large_epsilon_warning(plan.epsilon) + forecast_text(fit);
  }
  for (const GaussianPhase& phase : plan.run) {
    text += fmt::format("{} {} steps, sampling rate {:.4g}, noise multiplier {:.4g}",
                        &phase == &plan.run.front() ? "" : ", then", phase.steps,
                        phase.sampling_rate, phase.noise_multiplier);
  }
  return text + "\n" + large_epsilon_warning(plan.epsilon) + forecast_text(fit);
}

std::string profile_text(const LoopTimes& times) {
  std::string text = fmt::format("Training loop: {:.3g} s\n", times.all());
  const auto add = [&](const char* part, double seconds) {
    text += fmt::format("  {:<10}{:>10.3g} s {:>6.1f} %\n", part, seconds,
                        100.0 * seconds / std::max(times.all(), 1e-12));
  };
  add("sampling", times.sampling);
  add("gradients", times.gradients);
  add("clip", times.clipping);
  add("noise", times.noise);
  add("update", times.update);
  return text;
}

std::string fit_output(const FitResult& result, const std::string& folder, bool json) {
  if (json) {
    Json document = {{"ok", true}, {"bundle", folder}, {"private", result.privacy.has_value()}};
    if (result.privacy) {
      document["epsilon"] = result.privacy->plan().epsilon;
      document["delta"] = result.privacy->plan().delta;
    }
    return document.dump(2) + "\n";
  }
  const std::filesystem::path report = std::filesystem::path(folder) / "report.html";
  return fmt::format("Bundle: {0}\nNext: dpvi summary {0}{1}\n", folder,
                     std::filesystem::exists(report) ? ", or open " + report.string() : "");
}

}  // namespace dpvi::cli
