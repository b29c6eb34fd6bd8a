#include <dpvi/api/fit_description.hpp>

#include <fmt/format.h>

#include <utility>

#include <dpvi/api/prior_curves.hpp>
#include <dpvi/fit/train/fit_draws.hpp>
#include <dpvi/fit/train/fit_evidence.hpp>
#include <dpvi/fit/train/sampled_parts.hpp>
#include <dpvi/model/stan_functions.hpp>
#include <dpvi/random/secure_generator.hpp>
#include <dpvi/sample/sample_posterior.hpp>

namespace dpvi {

FitSpeed speed_of(const FitExecution& execution) {
  constexpr int kMostThreads = 1024;
  if (execution.threads < 1 || execution.threads > kMostThreads) {
    throw UsageError(kValueOutsideRule,
                     fmt::format("threads is {}; it must be a whole number from 1 to {}.",
                                 execution.threads, kMostThreads),
                     "");
  }
  return {execution.threads, static_cast<bool>(execution.profile), execution.recorded};
}

Error stopped(const std::string& hint) {
  return {kInterrupted, "stopped; nothing was written.", hint};
}

FitResult describe_fit(const BoundModel& bound, const FitSettings& settings,
                       FittedPosterior fitted) {
  FitResult result{
      .model_name = bound.program.name(),
      .model_text = bound.program.inputs().text,
      .schema_text = bound.program.inputs().schema_text,
      .started_at = {},
      .fitted = {settings.family_of(bound.model.dimension()), std::move(fitted.family_parameters)},
      .location_noise = std::move(fitted.location_noise),
      .total = {},
      .unconstrained_names = {},
      .outputs = {},
      .at_location = {},
      .draws = {},
      .log_density = {},
      .sd_model = {},
      .sd_privacy = {},
      .privacy = std::move(fitted.privacy),
      .loop = std::move(fitted.loop),
      .trace = std::move(fitted.trace),
      .evidence = {},
      .verdict = {},
      .public_facts = {},
      .dropped_quantities = {},
      .unit = std::nullopt,
      .one_row_per_person = bound.program.inputs().schema.one_row_per_person,
      .inspected_first = false,
      .study = bound.program.inputs().schema.study,
      .inputs = public_inputs(bound),
  };
  result.total = with_noise(result.fitted, result.location_noise);
  if (const auto& unit = bound.binding.unit) result.unit = {unit->name, unit->max_rows};
  for (const PublicFact& fact : bound.public_facts) {
    result.public_facts.push_back(fmt::format("{} = {} ({})", fact.name, fact.value, fact.source));
  }
  if (!bound.model.stan().latents.empty()) {
    result.public_facts.push_back(
        "Latent variables of each record are integrated out. Published intervals of such fits can "
        "be too narrow (docs/uncertainty.md).");
  }
  for (const std::string& latent : bound.model.stan().latents) {
    result.dropped_quantities.push_back(
        fmt::format("{}: latent variables of each record, integrated out by {}", latent,
                    bound.model.stan().latent_method));
  }
  for (const DroppedQuantity& dropped : bound.model.stan().dropped) {
    result.dropped_quantities.push_back(fmt::format("{}: {}", dropped.name, dropped.reason));
  }
  return result;
}

namespace {

// The program that draws quantities of _rng functions, if there are any. It refers to its options.
class RandomQuantitiesOf {
 public:
  explicit RandomQuantitiesOf(const BoundModel& bound) : options_(bound.options()) {
    if (bound.model.stan().drawn.empty()) return;
    draws_.emplace(bound.program.inputs().program, bound.program.data(), stan_functions(),
                   options_);
  }
  RandomQuantitiesOf(const RandomQuantitiesOf&) = delete;
  RandomQuantitiesOf& operator=(const RandomQuantitiesOf&) = delete;

  // nullptr if there are none.
  const GeneratedDraws* get() const { return draws_ ? &*draws_ : nullptr; }

 private:
  StanModelOptions options_;
  std::optional<GeneratedDraws> draws_;
};

void add_prior_curves(FitResult& result, const BoundModel& bound) {
  if (!result.evidence.prior) return;
  result.prior_curves = prior_curves(bound.model, result.evidence.location, *result.evidence.prior);
}

}  // namespace

void draw_outputs(FitResult& result, const BoundModel& bound, std::int64_t draws,
                  std::optional<std::uint64_t> seed) {
  const RandomQuantitiesOf generated(bound);
  add_draws(result, bound.model, generated.get(), draws, seed);
  result.evidence = evidence_of(result, bound.model);
  result.verdict = judge_fit(result.evidence);
  add_prior_curves(result, bound);
}

void sample_outputs(FitResult& result, const BoundModel& bound, std::int64_t draws,
                    const MeasuredPosterior& posterior) {
  const RandomQuantitiesOf generated(bound);
  SamplingSettings sampling;
  const std::int64_t chains = sampling.nuts.chains;
  sampling.nuts.draws = static_cast<int>((draws + chains - 1) / chains);
  SampledPosterior sampled =
      sample_posterior(bound.model.prior(), posterior.site, sampling, SecureGenerator());
  result.site_mean = posterior.site.components.front().mean;
  set_sampled_parts(result, bound.model, posterior.site, posterior.site_without_noise,
                    sampled.theta);
  add_chains(result, bound.model, generated.get(), std::move(sampled), std::nullopt);
  result.evidence = evidence_of(result, bound.model);
  result.evidence.measured = posterior.measured;
  result.evidence.clip_bias = posterior.clip_bias;
  result.verdict = judge_fit(result.evidence);
  add_prior_curves(result, bound);
}

}  // namespace dpvi
