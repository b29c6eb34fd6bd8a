#pragma once

#include <cstddef>
#include <vector>

#include <dpvi/sample/nuts.hpp>
#include <dpvi/sample/sampled_chains.hpp>
#include <dpvi/sample/site_target.hpp>

namespace dpvi {

struct SamplingSettings {
  NutsSettings nuts;
  // If the effective sample size of a parameter is below this, all is sampled once more with a
  // longer warm-up, and thinned.
  double least_effective_size = 400.0;
  // A typical theta, for instance prior medians. Used coordinates start at the site instead. Empty:
  // zeros.
  std::vector<double> start = {};
};

// Draws from prior * site.
struct SampledPosterior {
  std::vector<std::vector<double>> theta;  // all draws, chains one after another
  SampledChains chains;                    // log densities are those of prior * site at theta
};

// Samples prior * site by NUTS. This is post-processing: it sees releases and public facts only,
// and a prior that reads no record. Hierarchies are sampled in coordinates without a funnel
// (CentringMap), whatever form the program has.
//
// Guarantee: the result depends on its arguments alone, and not on the number of threads.
SampledPosterior sample_posterior(const LogDensity& prior, std::size_t dimension, const Site& site,
                                  const SamplingSettings& settings,
                                  const ChainRandomness& randomness);

// The same with the prior of a program and with a public seed or with fresh secure randomness.
SampledPosterior sample_posterior(const UniformFunction& prior, const Site& site,
                                  const SamplingSettings& settings,
                                  const SeededGenerator& generator);
SampledPosterior sample_posterior(const UniformFunction& prior, const Site& site,
                                  const SamplingSettings& settings,
                                  const SecureGenerator& generator);

}  // namespace dpvi
