#pragma once

#include <array>

namespace dpvi {

// The log of a distribution function, and its derivatives with respect to the arguments after the
// count.
struct LogCdf {
  double value = 0.0;
  std::array<double, 3> by{};
};

// log P(Y <= n) for counts whose success probability has a beta distribution, by a sum over the
// counts. Values and derivatives have an error of about 1e-12, relative to the larger of 1 and
// their own size. The result is NaN outside the domain, and if the sum would have more than a
// million terms.

// Y counts the successes in `trials` trials; a, b > 0. The derivative with respect to `trials` is
// reported as zero.
LogCdf log_beta_binomial_cdf(double n, double trials, double a, double b);
// Y counts the failures before success number r, in Stan's parameterisation; r, a, b > 0.
LogCdf log_beta_neg_binomial_cdf(double n, double r, double a, double b);

}  // namespace dpvi
