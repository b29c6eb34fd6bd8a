#include <dpvi/fit/train/fit_evidence.hpp>

#include <algorithm>
#include <cmath>
#include <span>

#include <dpvi/fit/train/noise_in_prior.hpp>

namespace dpvi {
namespace {

// True if all parameters are finite at the location and none is enormous. Other outputs may be NaN
// by design.
bool parameters_usable(const FitResult& result, const RecordModel& model) {
  constexpr double kEnormous = 1e50;
  std::int64_t count = 0;
  for (std::size_t i = 0; i < model.stan().parameters.size(); ++i)
    count += result.outputs[i].size();
  const auto values = std::span(result.at_location).first(static_cast<std::size_t>(count));
  return std::ranges::all_of(values, [](double value) { return std::abs(value) < kEnormous; });
}

}  // namespace

FitEvidence evidence_of(const FitResult& result, const RecordModel& model) {
  const auto& [total, parameters] = result.total;
  const auto location = total->location(parameters);
  FitEvidence evidence{.names = result.unconstrained_names,
                       .location = {location.begin(), location.end()},
                       .total_sd = total->standard_deviations(parameters),
                       .optimisation = result.trace.optimisation,
                       .drift = result.trace.drift,
                       .remaining_move = result.trace.remaining_move,
                       .hidden_move = {},
                       .clip_bias = {},
                       .prior = {},
                       .outputs_usable = parameters_usable(result, model)};
  if (evidence.optimisation == Optimisation::diverged || !evidence.outputs_usable) return evidence;
  if (result.sampled) {
    evidence.chains_r_hat = result.sampled->largest_r_hat();
  } else {
    evidence.hidden_move = move_by_hidden_noise(result.fitted, result.location_noise, model.prior(),
                                                model.used_by_records());
  }
  SeededStream stream = SeededGenerator(1).stream({.label = StreamLabel::initial_value, .step = 3});
  evidence.prior = prior_spread(model.prior(), model.dimension(), stream);
  return evidence;
}

}  // namespace dpvi
