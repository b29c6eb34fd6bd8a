#pragma once

#include <string>

#include <dpvi/fit/fit_result.hpp>

namespace dpvi {

// posterior.json: the parameters of q over the unconstrained parameters, with all their digits.
// Mean-field has `scale` (standard deviations), full-rank `cholesky` (rows of the lower triangular
// factor), low-rank `scale` and `factor`: the covariance is diag(scale)^2 + factor factor'. `trace`
// tells what the averaged iterates leave uncertain of the location, and of each column of draws.csv
// there.
std::string posterior_json(const FitResult& result);

}  // namespace dpvi
