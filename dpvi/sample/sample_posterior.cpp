#include <dpvi/sample/sample_posterior.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <dpvi/sample/centring_map.hpp>

namespace dpvi {
namespace {

// Random numbers for starts follow those of the chains in the order of chain numbers.
constexpr std::uint64_t kStartStreams = std::uint64_t{1} << 32;
constexpr int kStartTrials = 100;

std::vector<double> typical_point(const SiteTarget& target, const std::vector<double>& given) {
  std::vector<double> point = given.empty() ? std::vector<double>(target.dimension(), 0.0) : given;
  for (const std::size_t i : target.site().used) {
    if (target.precisions()[i] > 0.0) point[i] = target.means()[i];
  }
  return point;
}

// Starts in working coordinates, which are dispersed: effects by their conditional distribution
// given the rest, others that are used by the site's, the rest uniformly within 2 of their typical
// value, as Stan has it. Points of zero density are drawn again.
class Starts {
 public:
  Starts(const SiteTarget& target, const CentringMap& map, const std::vector<double>& typical)
      : typical_(typical), radius_(typical.size(), 2.0), normal_(typical.size(), false) {
    for (std::size_t i = 0; i < typical.size(); ++i) {
      if (target.precisions()[i] <= 0.0) continue;
      normal_[i] = true;
      radius_[i] = 1.0 / std::sqrt(target.precisions()[i]);
    }
    for (const auto& level : map.levels()) {
      for (const ConditionalNormals& effects : level) {
        for (const std::size_t i : effects.coordinates) {
          typical_[i] = 0.0;
          radius_[i] = 1.0;
          normal_[i] = true;
        }
      }
    }
  }

  std::vector<double> draw(const LogDensity& density, RandomNumbers& random) const {
    std::vector<double> point(typical_.size()), gradient(typical_.size());
    for (int trial = 0; trial < kStartTrials; ++trial) {
      random.fill_normal(point);
      for (std::size_t i = 0; i < point.size(); ++i) {
        const double unit = normal_[i] ? point[i] : 2.0 * random.uniform() - 1.0;
        point[i] = typical_[i] + radius_[i] * unit;
      }
      if (std::isfinite(density(point, gradient))) break;
    }
    return point;
  }

 private:
  std::vector<double> typical_;
  std::vector<double> radius_;
  std::vector<bool> normal_;
};

// Everything that sampling needs to know about prior * site.
class PosteriorSampler {
 public:
  PosteriorSampler(const LogDensity& prior, std::size_t dimension, const Site& site,
                   const std::vector<double>& start)
      : target_(prior, dimension, site),
        typical_(typical_point(target_, start)),
        map_(find_conditional_levels(prior, typical_), target_.means(), target_.precisions(),
             typical_),
        of_theta_([this](std::span<const double> theta, std::span<double> gradient) {
          return target_.value_and_gradient(theta, gradient);
        }),
        density_(map_.is_identity() ? of_theta_ : map_.pulled_back(of_theta_)) {}
  PosteriorSampler(const PosteriorSampler&) = delete;
  PosteriorSampler& operator=(const PosteriorSampler&) = delete;

  SampledPosterior sample(const NutsSettings& nuts, const ChainRandomness& randomness) const {
    const Starts starts(target_, map_, typical_);
    std::vector<std::vector<double>> points;
    for (int chain = 0; chain < nuts.chains; ++chain) {
      const auto number = kStartStreams + static_cast<std::uint64_t>(chain);
      points.push_back(starts.draw(density_, *randomness(number)));
    }
    SampledPosterior result{{},
                            {.chains = points.size(),
                             .draws_per_chain = static_cast<std::size_t>(nuts.draws),
                             .warmup = nuts.warmup,
                             .thin = nuts.thin,
                             .target_acceptance = nuts.target_acceptance,
                             .max_tree_depth = nuts.max_tree_depth}};
    for (NutsChain& chain : sample_nuts(density_, points, nuts, randomness)) {
      for (std::size_t i = 0; i < chain.draws.size(); ++i) {
        chain.statistics[i].log_density -= map_.to_theta(chain.draws[i]);
        result.theta.push_back(std::move(chain.draws[i]));
        result.chains.statistics.push_back(chain.statistics[i]);
      }
    }
    for (std::size_t i = 0; i < target_.dimension(); ++i) {
      result.chains.diagnostics.push_back(diagnose_column(result.chains, result.theta, i));
    }
    return result;
  }

 private:
  SiteTarget target_;
  std::vector<double> typical_;
  CentringMap map_;
  LogDensity of_theta_;
  LogDensity density_;
};

}  // namespace

SampledPosterior sample_posterior(const LogDensity& prior, std::size_t dimension, const Site& site,
                                  const SamplingSettings& settings,
                                  const ChainRandomness& randomness) {
  const PosteriorSampler sampler(prior, dimension, site, settings.start);
  SampledPosterior result = sampler.sample(settings.nuts, randomness);
  if (result.chains.smallest_ess() >= settings.least_effective_size) return result;
  NutsSettings longer = settings.nuts;
  longer.warmup *= 2;
  longer.thin *= 4;
  return sampler.sample(longer, randomness);
}

SampledPosterior sample_posterior(const UniformFunction& prior, const Site& site,
                                  const SamplingSettings& settings,
                                  const SeededGenerator& generator) {
  return sample_posterior(log_density_of(prior), prior.theta_size(), site, settings,
                          chain_randomness(generator));
}

SampledPosterior sample_posterior(const UniformFunction& prior, const Site& site,
                                  const SamplingSettings& settings,
                                  const SecureGenerator& generator) {
  return sample_posterior(log_density_of(prior), prior.theta_size(), site, settings,
                          chain_randomness(generator));
}

}  // namespace dpvi
