#pragma once

#include <string>

#include <dpvi/fit/train/fit_result.hpp>

namespace dpvi {

// posterior.json: the published Gaussian over the unconstrained parameters, with all its digits.
// Mean-field has `scale` (standard deviations), full-rank `cholesky` (rows of the lower triangular
// factor), low-rank `scale` and `factor`: the covariance is diag(scale)^2 + factor factor'.
//
// It is the sum of two parts with the same mean: `fitted`, which the iterates ended at, and
// `location_noise`, which is what noise and sampling did to the mean (`sd` if independent, else
// `factor`). `outputs` has what each part alone does to the columns of draws.csv. `status` says
// whether the result can be believed, `evidence` why, for each unconstrained parameter.
//
// If the draws are Markov chains, the Gaussian has their moments, and `chains` describes them:
// settings, counts of divergences and of trajectories cut off, and for each unconstrained parameter
// `r_hat`, `ess_bulk`, `ess_tail` and `mcse_mean`.
std::string posterior_json(const FitResult& result);

}  // namespace dpvi
