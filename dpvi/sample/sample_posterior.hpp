#pragma once

#include <cstdint>
#include <vector>

#include <dpvi/sample/mcmc_diagnostics.hpp>
#include <dpvi/sample/nuts.hpp>
#include <dpvi/sample/site_target.hpp>

namespace dpvi {

struct SamplingSettings {
  NutsSettings nuts;
  // A typical theta, for instance prior medians. Used coordinates start at the site instead. Empty:
  // zeros.
  std::vector<double> start = {};
};

// Draws from prior * site.
struct SampledPosterior {
  std::size_t chains = 0;
  std::size_t draws_per_chain = 0;
  std::vector<std::vector<double>> theta = {};   // all draws, chains one after another
  std::vector<DrawStatistics> statistics = {};   // log_density is that of prior * site at theta
  std::vector<ChainDiagnostics> diagnostics = {};  // one for each coordinate of theta
  int max_tree_depth = 10;

  std::int64_t divergences() const;
  // Draws whose trajectory was cut off at the maximal tree depth.
  std::int64_t saturations() const;
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
