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

std::vector<ChainDiagnostics> diagnose(const SampledPosterior& posterior, std::size_t dimension) {
  std::vector<ChainDiagnostics> result;
  std::vector<std::vector<double>> chains(posterior.chains,
                                          std::vector<double>(posterior.draws_per_chain));
  for (std::size_t i = 0; i < dimension; ++i) {
    for (std::size_t row = 0; row < posterior.theta.size(); ++row) {
      chains[row / posterior.draws_per_chain][row % posterior.draws_per_chain] =
          posterior.theta[row][i];
    }
    result.push_back(diagnose_chains(chains));
  }
  return result;
}

}  // namespace

std::int64_t SampledPosterior::divergences() const {
  return std::count_if(statistics.begin(), statistics.end(),
                       [](const DrawStatistics& draw) { return draw.divergent; });
}

std::int64_t SampledPosterior::saturations() const {
  return std::count_if(statistics.begin(), statistics.end(), [&](const DrawStatistics& draw) {
    return draw.tree_depth >= max_tree_depth;
  });
}

SampledPosterior sample_posterior(const LogDensity& prior, std::size_t dimension, const Site& site,
                                  const SamplingSettings& settings,
                                  const ChainRandomness& randomness) {
  const SiteTarget target(prior, dimension, site);
  const std::vector<double> typical = typical_point(target, settings.start);
  const CentringMap map(find_conditional_levels(prior, typical), target.means(),
                        target.precisions(), typical);
  const LogDensity of_theta = [&target](std::span<const double> theta, std::span<double> gradient) {
    return target.value_and_gradient(theta, gradient);
  };
  const LogDensity density = map.is_identity() ? of_theta : map.pulled_back(of_theta);
  const Starts starts(target, map, typical);
  std::vector<std::vector<double>> points;
  for (int chain = 0; chain < settings.nuts.chains; ++chain) {
    const auto number = static_cast<std::uint64_t>(chain);
    points.push_back(starts.draw(density, *randomness(kStartStreams + number)));
  }
  SampledPosterior result{.chains = static_cast<std::size_t>(settings.nuts.chains),
                          .draws_per_chain = static_cast<std::size_t>(settings.nuts.draws),
                          .max_tree_depth = settings.nuts.max_tree_depth};
  for (NutsChain& chain : sample_nuts(density, points, settings.nuts, randomness)) {
    for (std::size_t i = 0; i < chain.draws.size(); ++i) {
      const double log_jacobian = map.to_theta(chain.draws[i]);
      chain.statistics[i].log_density -= log_jacobian;
      result.theta.push_back(std::move(chain.draws[i]));
      result.statistics.push_back(chain.statistics[i]);
    }
  }
  result.diagnostics = diagnose(result, dimension);
  return result;
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
