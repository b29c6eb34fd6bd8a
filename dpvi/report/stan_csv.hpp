#pragma once

#include <string>

#include <dpvi/fit/fit_result.hpp>

namespace dpvi {

// The draws as a Stan CSV file of the variational flavour, which cmdstanpy and cmdstanr read: a
// configuration in comments, a header, the outputs at q's location as the first row, then the
// draws. Comments hold one `=` each; ours are named dp_ and stand before the header.
//
// Guarantee: log_p__ is always NaN. It would be the log density of the private records. The seed is
// always 0.
std::string stan_csv(const FitResult& result);

}  // namespace dpvi
