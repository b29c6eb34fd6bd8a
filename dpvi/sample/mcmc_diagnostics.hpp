#pragma once

#include <span>
#include <vector>

namespace dpvi {

// Convergence of one quantity over several chains (Vehtari, Gelman, Simpson, Carpenter & Burkner
// 2021). All are NaN if a draw is not finite, all draws are equal, or a chain has fewer than four.
struct ChainDiagnostics {
  double r_hat = 0.0;      // rank-normalised, split; the larger of location's and scale's
  double ess_bulk = 0.0;   // of the rank-normalised draws
  double ess_tail = 0.0;   // the smaller of those of the 5 % and 95 % quantiles
  double mcse_mean = 0.0;  // Monte Carlo standard error of the mean
};

// `chains` are equally long, and each has the draws of the quantity in order.
ChainDiagnostics diagnose_chains(std::span<const std::vector<double>> chains);

// R-hat of split chains (Gelman & Rubin 1992), without rank normalisation.
double split_r_hat(std::span<const std::vector<double>> chains);

// Effective sample size of the mean of split chains, by Geyer's initial monotone sequence.
double effective_sample_size(std::span<const std::vector<double>> chains);

}  // namespace dpvi
