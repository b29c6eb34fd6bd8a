#include <dpvi/report/posterior_json.hpp>

#include <cassert>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include <dpvi/report/column_names.hpp>
#include <dpvi/report/number_text.hpp>

namespace dpvi {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no NaN or infinity, which a diverged fit may contain; they become texts.
Json numbers(std::span<const double> values) {
  Json list = Json::array();
  for (const double value : values) {
    list.push_back(std::isfinite(value) ? Json(value) : Json(exact_text(value)));
  }
  return list;
}

Json rows(std::span<const double> matrix, std::size_t width) {
  Json list = Json::array();
  for (std::size_t i = 0; i < matrix.size(); i += width) {
    list.push_back(numbers(matrix.subspan(i, width)));
  }
  return list;
}

// Adds the parts of the covariance's factor.
void add_parts(Json& object, const Gaussian& gaussian) {
  const Family& family = *gaussian.family;
  const std::vector<std::vector<double>> parts = family.parts(gaussian.parameters);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const FactorPart& part = family.description().parts[i];
    object[std::string(part.name)] = part.shape == PartShape::scales
                                         ? numbers(parts[i])
                                         : rows(parts[i], parts[i].size() / family.dimension());
  }
}

Json location_noise(const LocationNoise& noise) {
  if (noise.factor().empty()) return {{"sd", numbers(noise.independent_sds())}};
  return {{"factor", rows(noise.factor(), noise.draw_size())}};
}

// Pictures need few digits. (std::stod refuses subnormal numbers, which densities may be.)
Json rounded(std::span<const double> values) {
  Json list = Json::array();
  for (const double value : values) {
    list.push_back(std::isfinite(value) ? Json(rounded_number(value, 6)) : Json(exact_text(value)));
  }
  return list;
}

Json path_json(const IteratePath& path) {
  Json locations = Json::array();
  for (const std::vector<double>& iterate : path.iterates()) locations.push_back(rounded(iterate));
  return {{"steps", path.steps()}, {"parameters", path.parameters()}, {"locations", locations}};
}

Json priors_json(const FitResult& result) {
  const std::vector<std::string> names = column_names(result.outputs);
  Json priors = Json::object();
  for (const PriorCurve& curve : result.prior_curves) {
    priors[names.at(curve.output)] = {{"value", rounded(curve.value)},
                                      {"density", rounded(curve.density)}};
  }
  return priors;
}

Json forecast_json(const std::optional<ForecastOfFit>& forecast) {
  if (!forecast) return {};
  return {{"noise_sd", numbers(forecast->noise_sd)},
          {"posterior_sd", numbers(forecast->posterior_sd)}};
}

Json status_json(const FitVerdict& verdict) {
  Json reasons = Json::array();
  for (const StatusReason& reason : verdict.reasons) {
    reasons.push_back({{"status", name_of(reason.status)},
                       {"reason", reason.words},
                       {"parameters", reason.parameters}});
  }
  return {{"status", name_of(verdict.status)}, {"reasons", reasons}};
}

Json counts_json(const std::optional<CountEvidence>& counts) {
  if (!counts) return {};
  return {{"chi_square", counts->chi_square},
          {"bins", counts->terms},
          {"histograms", counts->histograms},
          {"ambiguous", counts->ambiguous}};
}

Json measured_json(const std::optional<MeasurementEvidence>& measured) {
  if (!measured) return {};
  return {{"residual_square", measured->residual_square},
          {"residuals", measured->residuals},
          {"records", measured->records},
          {"records_sd", measured->records_sd},
          {"counts", counts_json(measured->counts)}};
}

Json evidence_json(const FitEvidence& evidence) {
  return {{"total_sd", numbers(evidence.total_sd)},
          {"prior_sd", evidence.prior ? numbers(evidence.prior->sd) : Json::array()},
          {"drift", numbers(evidence.drift)},
          {"remaining_move", numbers(evidence.remaining_move)},
          {"hidden_move", numbers(evidence.hidden_move)},
          {"clip_bias", numbers(evidence.clip_bias)},
          {"measured", measured_json(evidence.measured)}};
}

Json chains_json(const SampledChains& sampled) {
  Json r_hat = Json::array(), bulk = r_hat, tail = r_hat, mcse = r_hat;
  const auto add = [](Json& list, double value) { list.push_back(numbers({&value, 1})[0]); };
  for (const ChainDiagnostics& parameter : sampled.diagnostics) {
    add(r_hat, parameter.r_hat);
    add(bulk, parameter.ess_bulk);
    add(tail, parameter.ess_tail);
    add(mcse, parameter.mcse_mean);
  }
  return {{"chains", sampled.chains},
          {"draws_per_chain", sampled.draws_per_chain},
          {"warmup", sampled.warmup},
          {"thin", sampled.thin},
          {"target_acceptance", sampled.target_acceptance},
          {"max_tree_depth", sampled.max_tree_depth},
          {"divergences", sampled.divergences()},
          {"saturations", sampled.saturations()},
          {"r_hat", r_hat},
          {"ess_bulk", bulk},
          {"ess_tail", tail},
          {"mcse_mean", mcse}};
}

}  // namespace

std::string posterior_json(const FitResult& result) {
  const Family& total = *result.total.family;
  assert(result.unconstrained_names.size() == total.dimension());
  Json unconstrained = {{"names", result.unconstrained_names},
                        {"mean", numbers(total.location(result.total.parameters))}};
  add_parts(unconstrained, result.total);
  Json fitted = {{"family", result.fitted.family->description().name}};
  add_parts(fitted, result.fitted);
  const FitTrace& trace = result.trace;
  Json document = {
      {"private", result.privacy.has_value()},
      {"family", total.description().name},
      {"unconstrained", unconstrained},
      {"fitted", fitted},
      {"location_noise", location_noise(result.location_noise)},
      {"outputs",
       {{"sd_model", numbers(result.sd_model)}, {"sd_privacy", numbers(result.sd_privacy)}}},
      {"inference",
       {{"posterior", result.loop.posterior}, {"reason", result.loop.posterior_reason}}},
      {"status", status_json(result.verdict)},
      {"evidence", evidence_json(result.evidence)},
      {"trace",
       {{"optimisation", name_of(trace.optimisation)},
        {"r_hat", numbers(trace.r_hat)},
        {"effective_size", numbers(trace.effective_size)},
        {"mean_sd", numbers(trace.mean_sd)},
        {"path", path_json(trace.path)}}},
      {"forecast", forecast_json(result.forecast)},
      {"priors", priors_json(result)}};
  if (result.sampled) document["chains"] = chains_json(*result.sampled);
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace dpvi
