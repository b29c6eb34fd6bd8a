#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <dpvi/sample/mcmc_diagnostics.hpp>

namespace dpvi {

// Statistics of the transition that led to a draw, under Stan's definitions.
struct DrawStatistics {
  double log_density = 0.0;
  double acceptance = 0.0;
  double step_size = 0.0;
  int tree_depth = 0;
  int leapfrog_steps = 0;
  bool divergent = false;
  double energy = 0.0;
};

// Describes draws that are Markov chains, one after another.
struct SampledChains {
  std::size_t chains = 0;
  std::size_t draws_per_chain = 0;
  // Settings of the sampler.
  int warmup = 0;
  int thin = 1;
  double target_acceptance = 0.0;
  int max_tree_depth = 0;
  std::vector<DrawStatistics> statistics = {};     // of each draw
  std::vector<ChainDiagnostics> diagnostics = {};  // of each unconstrained parameter

  std::int64_t divergences() const;
  // Number of draws whose trajectory was cut off at the maximal tree depth.
  std::int64_t saturations() const;
  // The worst over the parameters; NaN if one of them is NaN.
  double largest_r_hat() const;
  double smallest_ess() const;  // of bulk and tail
};

// Diagnostics of one column of the draws. All chains are equally long.
ChainDiagnostics diagnose_column(const SampledChains& chains,
                                 const std::vector<std::vector<double>>& draws, std::size_t column);

}  // namespace dpvi
