#pragma once

#include <cstddef>
#include <vector>

#include <dpvi/sample/log_density.hpp>
#include <dpvi/sample/random_numbers.hpp>
#include <dpvi/sample/sampled_chains.hpp>

namespace dpvi {

struct NutsSettings {
  int chains = 4;
  int warmup = 1000;  // iterations of each chain that adapt the sampler and are not kept
  int draws = 1000;   // draws of each chain that are kept
  int thin = 1;       // iterations for each draw that is kept
  double target_acceptance = 0.9;
  int max_tree_depth = 10;
  // Largest dimension for which correlations are estimated in the warm-up.
  std::size_t largest_dense_metric = 100;
  int threads = 1;  // changes the speed, never the result
};

struct NutsChain {
  std::vector<std::vector<double>> draws;
  std::vector<DrawStatistics> statistics;  // one for each draw
};

// Samples a log density by the No-U-Turn sampler. The step size is adapted by dual averaging, and
// the metric in windows, both as in Stan. `starts` has a point for each chain. A density that is
// infinite or NaN ends a trajectory as a divergence. The number of evaluations is at most
// chains * (warmup + thin * draws) * 2^max_tree_depth, plus about a hundred.
//
// Guarantee: the draws of a chain depend on the density, its start, the settings and its random
// numbers alone, and not on the number of threads.
std::vector<NutsChain> sample_nuts(const LogDensity& density,
                                   const std::vector<std::vector<double>>& starts,
                                   const NutsSettings& settings, const ChainRandomness& randomness);

}  // namespace dpvi
