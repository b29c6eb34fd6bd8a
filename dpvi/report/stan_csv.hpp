#pragma once

#include <string>

#include <dpvi/fit/train/fit_result.hpp>

namespace dpvi {

// The draws as a Stan CSV file of the variational kind, which cmdstanpy and cmdstanr read. It has a
// configuration in comments, a header, the outputs at q's location as the first row, then the
// draws. Each comment holds one `=`; ours are named dp_ and come before the header.
//
// Guarantee: log_p__ is always NaN. It would be the log density of the private records. The seed is
// always 0.
std::string stan_csv(const FitResult& result);

}  // namespace dpvi
