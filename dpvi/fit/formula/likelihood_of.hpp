#pragma once

#include <string>

#include <dpvi/data/schema.hpp>
#include <dpvi/model/regression_formula.hpp>

namespace dpvi {

// The likelihood that follows from what the schema declares about the response: binomial with
// trials, bernoulli for 0 and 1 or two levels, neg_binomial_2 for counts, normal for reals. Refuses
// (DP341) a response that leaves the choice open.
std::string likelihood_of(const RegressionFormula& formula, const Schema& schema);

}  // namespace dpvi
