#pragma once

#include <string>

#include <dpvi/fit/train/fit_result.hpp>

namespace dpvi {

// posterior.json: the parameters of q over the unconstrained parameters, with all their digits.
// Mean-field has `scale` (standard deviations), full-rank `cholesky` (rows of the lower triangular
// factor), low-rank `scale` and `factor`: the covariance is diag(scale)^2 + factor factor'. `trace`
// gives the uncertainty that the averaged iterates leave in the location, and in each column of
// draws.csv at the location.
std::string posterior_json(const FitResult& result);

}  // namespace dpvi
