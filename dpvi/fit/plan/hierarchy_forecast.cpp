#include <dpvi/fit/plan/hierarchy_forecast.hpp>

#include <algorithm>
#include <cmath>

#include <dpvi/fit/prepare/prior_sample.hpp>
#include <dpvi/random/seeded_generator.hpp>

namespace dpvi {
namespace {

// Fisher information about the coordinates of theta that effects carry: with and without noise.
struct InformationOfEffects {
  std::vector<double> noisy, exact;
};

// Splits a variance into what is left without noise and the rest.
void set_parts(NoiseForecast& forecast, std::size_t i, double total, double without_noise) {
  forecast.posterior_sd[i] = std::sqrt(without_noise);
  forecast.noise_sd[i] = std::sqrt(std::max(0.0, total - without_noise));
}

void shrink(const ConditionalNormals& normals, const std::vector<double>& typical,
            NoiseForecast& forecast, InformationOfEffects& information) {
  const double variance = std::exp(2.0 * normals.log_scale_at(typical));
  double noisy = 0.0, exact = 0.0, noisy_square = 0.0, exact_square = 0.0;
  for (const std::size_t j : normals.coordinates) {
    const double known = std::pow(forecast.posterior_sd[j], 2);
    const double noise = std::pow(forecast.noise_sd[j], 2);
    const double share = variance / (variance + known + noise);
    const double share_exact = variance / (variance + known);
    noisy += share;
    exact += share_exact;
    noisy_square += share * share;
    exact_square += share_exact * share_exact;
    set_parts(forecast, j, share * (known + noise), share_exact * known);
  }
  for (const ConditionalNormals::Parent& parent : normals.parents) {
    const double scale = 2.0 * std::pow(parent.log_scale_slope, 2);
    const double location = std::pow(parent.location_slope, 2) / variance;
    information.noisy[parent.coordinate] += scale * noisy_square + location * noisy;
    information.exact[parent.coordinate] += scale * exact_square + location * exact;
  }
}

}  // namespace

PriorFacts prior_facts(const UniformFunction& prior, std::size_t size) {
  constexpr std::size_t kMostParameters = 200, kEntries = 4000;
  if (size > kMostParameters) return {};
  SeededStream stream = SeededGenerator(1).stream({.label = StreamLabel::initial_value, .step = 5});
  const auto sample =
      sample_prior(prior, size, std::clamp<std::size_t>(kEntries / size, 40, 400), stream);
  if (!sample) return {};
  return {sample->spread(prior), sample->medians(), sample->levels};
}

void add_prior(NoiseForecast& forecast, const std::vector<bool>& used_by_records,
               const PriorFacts& prior) {
  const std::size_t size = forecast.posterior_sd.size();
  if (prior.sd.size() == size) forecast.prior_sd = prior.sd;
  // A direction in which neither records nor the prior have curvature has no variance so far.
  for (std::size_t i = 0; i < size; ++i) {
    double& sd = forecast.posterior_sd[i];
    sd = sd > 0.0 ? std::min(sd, forecast.prior_sd[i]) : forecast.prior_sd[i];
  }
  if (prior.sd.size() != size) return;
  for (const auto& level : prior.levels) {
    InformationOfEffects information{std::vector<double>(size, 0.0),
                                     std::vector<double>(size, 0.0)};
    for (const ConditionalNormals& normals : level) {
      shrink(normals, prior.median, forecast, information);
    }
    for (std::size_t i = 0; i < size; ++i) {
      if (information.exact[i] == 0.0 || used_by_records[i]) continue;
      const double precision = 1.0 / std::pow(prior.sd[i], 2);
      set_parts(forecast, i, 1.0 / (precision + information.noisy[i]),
                1.0 / (precision + information.exact[i]));
    }
  }
}

}  // namespace dpvi
