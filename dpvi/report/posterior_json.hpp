#pragma once

#include <string>
#include <string_view>

#include <dpvi/fit/fit_result.hpp>

namespace dpvi {

std::string_view family_name(FamilyKind kind);

// posterior.json: the parameters of q over the unconstrained parameters, with all their digits.
// Mean-field has `scale` (standard deviations), full-rank `cholesky` (rows of the lower triangular
// factor). `trace` tells what the averaged iterates leave uncertain of the location, and of each
// column of draws.csv there.
std::string posterior_json(const FitResult& result);

}  // namespace dpvi
