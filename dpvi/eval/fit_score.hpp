#pragma once

#include <cstddef>
#include <span>

namespace dpvi {

// What one fit said about one number whose true value is known.
struct NumberEstimate {
  double truth = 0.0;
  double mean = 0.0;  // of the posterior
  double sd = 0.0;
  double q5 = 0.0;
  double q95 = 0.0;
  double sd_model = 0.0;    // NaN if unknown
  double sd_privacy = 0.0;  // NaN if unknown
};

// How good several such estimates were. Everything is NaN without an estimate.
struct FitScore {
  std::size_t fits = 0;
  double bias = 0.0;     // mean of posterior mean - truth
  double bias_se = 0.0;  // standard error of that mean; NaN for a single fit
  double rmse = 0.0;     // root mean square of posterior mean - truth
  double width = 0.0;    // of a 90 % interval: median over the fits, as are all below
  double sd = 0.0;
  double sd_model = 0.0;
  double sd_privacy = 0.0;
  double coverage = 0.0;     // share of 90 % intervals that contain the truth
  double coverage_se = 0.0;  // counts one more interval of each kind, so that it is never 0
  // Width over the prior's, and share of the answer that is the prior's: variance over the prior's
  // variance, at most 1. NaN without a proper prior.
  double width_of_prior = 0.0;
  double prior_share = 0.0;
};

// `prior_sd` and `prior_width` are infinite without a proper prior. Estimates that are not finite
// count as intervals that do not cover, and are left out otherwise.
FitScore score_of(std::span<const NumberEstimate> estimates, double prior_sd, double prior_width);

}  // namespace dpvi
