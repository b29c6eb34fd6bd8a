#pragma once

#include <string>

#include <dpvi/fit/train/fit_result.hpp>

namespace dpvi {

// The draws as a Stan CSV file, which cmdstanpy and cmdstanr read. It has a configuration in
// comments, a header and the draws. Each comment holds at most one `=`; ours are named dp_ and come
// before the header.
//
// Markov chains are of the kind `sample`, one after another: readers see one long chain, and
// dp_chains is the number of chains. lp__ is the log density of prior and site. Independent draws
// are of the kind `variational`, whose first row has the outputs at q's location.
//
// Guarantee: log_p__ is always NaN. It would be the log density of the private records. The seed is
// always 0.
std::string stan_csv(const FitResult& result);

}  // namespace dpvi
