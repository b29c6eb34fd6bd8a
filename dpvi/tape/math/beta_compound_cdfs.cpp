#include <dpvi/tape/math/beta_compound_cdfs.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <dpvi/tape/math/special_functions.hpp>

namespace dpvi {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMaxTerms = 1e6;
// Towards the end of the range the probabilities may grow again, by less than one power of the
// count. The remainder of the sum is therefore at most kMaxTerms squared times the last term.
constexpr double kNegligible = 1e-30;
constexpr double kLargestSum = 1e200;
const LogCdf kEmptyRange{kNan, {kNan, kNan, kNan}};

bool positive_finite(double x) { return x > 0.0 && x < kInfinity; }

double log_beta(double a, double b) { return log_gamma(a) + log_gamma(b) - log_gamma(a + b); }

// P(Y = k - 1) / P(Y = k), and the derivatives of its logarithm.
struct Ratio {
  double value;
  std::array<double, 3> by;
};

// Turns log P(Y = n) into log P(Y <= n) by summing from n downwards.
template <class RatioAt>
void add_smaller_counts(LogCdf& share, double n, const RatioAt& ratio_at) {
  double term = 1.0;
  double sum = 1.0;
  std::array<double, 3> slope{};  // derivatives of log(term)
  std::array<double, 3> weighted{};
  for (double k = n; k >= 1.0; --k) {
    const Ratio ratio = ratio_at(k);
    term *= ratio.value;
    sum += term;
    for (std::size_t i = 0; i < 3; ++i) {
      slope[i] += ratio.by[i];
      weighted[i] += term * slope[i];
    }
    if (term < kNegligible * sum) break;
    if (sum < kLargestSum) continue;
    // The range from far out in a tail to the mode may exceed that of a double, so the sum is
    // rescaled.
    share.value += std::log(sum);
    for (double& entry : weighted) entry /= sum;
    term /= sum;
    sum = 1.0;
  }
  share.value += std::log(sum);
  for (std::size_t i = 0; i < 3; ++i) share.by[i] += weighted[i] / sum;
}

// Turns log P(Y <= n) into log P(Y > n).
void turn_to_complement(LogCdf& share) {
  const double log_p = std::min(share.value, 0.0);
  share.value =
      log_p > -std::numbers::ln2 ? std::log(-std::expm1(log_p)) : std::log1p(-std::exp(log_p));
  for (double& by : share.by) by *= -std::exp(log_p - share.value);
}

LogCdf beta_binomial_below(double n, double trials, double a, double b) {
  const double rest = trials - n;
  LogCdf share;
  share.value = -std::log1p(trials) - log_beta(n + 1.0, rest + 1.0) + log_beta(n + a, rest + b) -
                log_beta(a, b);
  const double both = digamma(a + b) - digamma(trials + a + b);
  share.by = {0.0, digamma(n + a) - digamma(a) + both, digamma(rest + b) - digamma(b) + both};
  add_smaller_counts(share, n, [&](double k) {
    const double left = trials - k;
    return Ratio{k * (left + b) / ((left + 1.0) * (k - 1.0 + a)),
                 {0.0, -1.0 / (k - 1.0 + a), 1.0 / (left + b)}};
  });
  return share;
}

}  // namespace

LogCdf log_beta_binomial_cdf(double n, double trials, double a, double b) {
  if (!positive_finite(a) || !positive_finite(b) || !(n >= 0.0 && n <= trials)) return kEmptyRange;
  if (!(trials < kMaxTerms)) return kEmptyRange;
  if (n == trials) return {};
  // The smaller tail is summed, because it keeps its digits.
  if (n * (a + b) <= trials * a) return beta_binomial_below(n, trials, a, b);
  LogCdf share = beta_binomial_below(trials - n - 1.0, trials, b, a);
  std::swap(share.by[1], share.by[2]);
  turn_to_complement(share);
  return share;
}

LogCdf log_beta_neg_binomial_cdf(double n, double r, double a, double b) {
  if (!positive_finite(r) || !positive_finite(a) || !positive_finite(b)) return kEmptyRange;
  if (!(n >= 0.0 && n < kMaxTerms)) return kEmptyRange;
  LogCdf share;
  share.value = log_gamma(n + b) - log_gamma(n + 1.0) - log_gamma(b) + log_beta(n + r, a + b) -
                log_beta(r, a);
  const double all = digamma(n + r + a + b);
  share.by = {digamma(n + r) - all - digamma(r) + digamma(r + a),
              digamma(a + b) - all - digamma(a) + digamma(r + a),
              digamma(n + b) - digamma(b) + digamma(a + b) - all};
  add_smaller_counts(share, n, [&](double k) {
    const double before = k - 1.0;
    const double total = before + r + a + b;
    return Ratio{k * total / ((before + r) * (before + b)),
                 {1.0 / total - 1.0 / (before + r), 1.0 / total, 1.0 / total - 1.0 / (before + b)}};
  });
  return share;
}

}  // namespace dpvi
