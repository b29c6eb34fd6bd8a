#include <dpvi/sample/mcmc_diagnostics.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

#include <dpvi/tape/math/special_functions.hpp>

namespace dpvi {
namespace {

using Chains = std::vector<std::vector<double>>;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Halves of the chains; the middle draw of an odd number belongs to neither.
Chains split(std::span<const std::vector<double>> chains) {
  Chains halves;
  for (const std::vector<double>& chain : chains) {
    const auto half = static_cast<std::ptrdiff_t>(chain.size() / 2);
    halves.emplace_back(chain.begin(), chain.begin() + half);
    halves.emplace_back(chain.end() - half, chain.end());
  }
  return halves;
}

// Applies a function of the pooled draws, which it gets in one list, to all chains.
template <class Function>
Chains on_pooled(std::span<const std::vector<double>> chains, const Function& function) {
  std::vector<double> pooled;
  for (const std::vector<double>& chain : chains) {
    pooled.insert(pooled.end(), chain.begin(), chain.end());
  }
  function(pooled);
  Chains result;
  auto next = pooled.cbegin();
  for (const std::vector<double>& chain : chains) {
    const auto end = next + static_cast<std::ptrdiff_t>(chain.size());
    result.emplace_back(next, end);
    next = end;
  }
  return result;
}

// Normal scores (r - 3/8) / (S + 1/4) of the ranks r; ties share their mean rank.
void normal_scores(std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> scores(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    const double rank = 0.5 * static_cast<double>(first + 1 + last);
    const double score =
        standard_normal_quantile((rank - 0.375) / (static_cast<double>(values.size()) + 0.25));
    for (; first < last; ++first) scores[order[first]] = score;
  }
  values = std::move(scores);
}

// Linear interpolation of order statistics (R's type 7).
double quantile_of(std::vector<double> values, double probability) {
  std::sort(values.begin(), values.end());
  const double place = probability * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

void fold(std::vector<double>& values) {
  const double median = quantile_of(values, 0.5);
  for (double& value : values) value = std::abs(value - median);
}

double ess_of_quantile(std::span<const std::vector<double>> chains, double probability) {
  const Chains indicators = on_pooled(chains, [&](std::vector<double>& values) {
    const double limit = quantile_of(values, probability);
    for (double& value : values) value = value <= limit ? 1.0 : 0.0;
  });
  return effective_sample_size(indicators);
}

struct Variances {
  double within = 0.0;   // mean of the chains' variances
  double between = 0.0;  // variance of the chains' means
  double length = 0.0;
  // Variance of a draw.
  double total() const { return within * (length - 1.0) / length + between; }
};

double variance_of(std::span<const double> values) {
  const double mean = mean_of(values);
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares / static_cast<double>(values.size() - 1);
}

Variances variances_of(const Chains& chains) {
  std::vector<double> means, variances;
  for (const std::vector<double>& chain : chains) {
    means.push_back(mean_of(chain));
    variances.push_back(variance_of(chain));
  }
  return {mean_of(variances), variance_of(means), static_cast<double>(chains.front().size())};
}

// The mean over chains of their autocovariance at a lag, with divisor N.
class Autocovariance {
 public:
  explicit Autocovariance(Chains chains) : chains_(std::move(chains)) {
    for (std::vector<double>& chain : chains_) {
      const double mean = mean_of(chain);
      for (double& value : chain) value -= mean;
    }
  }

  double at(std::size_t lag) const {
    double sum = 0.0;
    for (const std::vector<double>& chain : chains_) {
      sum += std::inner_product(chain.begin() + static_cast<std::ptrdiff_t>(lag), chain.end(),
                                chain.begin(), 0.0);
    }
    return sum / static_cast<double>(chains_.size() * chains_.front().size());
  }

 private:
  Chains chains_;
};

bool are_usable(std::span<const std::vector<double>> chains) {
  if (chains.empty() || chains.front().size() < 4) return false;
  const double first = chains.front().front();
  bool differ = false;
  for (const std::vector<double>& chain : chains) {
    for (const double value : chain) {
      if (!std::isfinite(value)) return false;
      differ |= value != first;
    }
  }
  return differ;
}

double r_hat_of(const Chains& halves) {
  const Variances variances = variances_of(halves);
  return std::sqrt(variances.total() / variances.within);
}

// Equation 10 of Vehtari et al., with autocovariances as in Stan, up to the end of Geyer's initial
// monotone sequence.
double effective_size_of(const Chains& halves) {
  const Variances variances = variances_of(halves);
  const std::size_t length = halves.front().size();
  const auto count = static_cast<double>(halves.size() * length);
  const Autocovariance autocovariance(halves);
  const double total = variances.total();
  const auto correlation = [&](std::size_t lag) {
    return 1.0 - (variances.within - autocovariance.at(lag)) / total;
  };
  double pair = 1.0 + correlation(1);
  double sum = 0.0, next_even = 1.0;
  for (std::size_t lag = 2; lag + 3 < length && pair > 0.0; lag += 2) {
    sum += pair;
    next_even = correlation(lag);
    pair = std::min(pair, next_even + correlation(lag + 1));
  }
  // The last even correlation improves the estimate for antithetic chains.
  const double time = -1.0 + 2.0 * sum + std::max(next_even, 0.0);
  return count / std::max(time, 1.0 / std::log10(count));
}

}  // namespace

double split_r_hat(std::span<const std::vector<double>> chains) {
  return are_usable(chains) ? r_hat_of(split(chains)) : kNaN;
}

double effective_sample_size(std::span<const std::vector<double>> chains) {
  return are_usable(chains) ? effective_size_of(split(chains)) : kNaN;
}

ChainDiagnostics diagnose_chains(std::span<const std::vector<double>> chains) {
  if (!are_usable(chains)) return {kNaN, kNaN, kNaN, kNaN};
  const Chains halves = split(chains);
  const Chains scores = on_pooled(halves, normal_scores);
  const Chains folded = on_pooled(halves, [](std::vector<double>& values) {
    fold(values);
    normal_scores(values);
  });
  std::vector<double> pooled;
  for (const auto& chain : chains) pooled.insert(pooled.end(), chain.begin(), chain.end());
  return {.r_hat = std::max(r_hat_of(scores), r_hat_of(folded)),
          .ess_bulk = effective_size_of(scores),
          .ess_tail = std::min(ess_of_quantile(chains, 0.05), ess_of_quantile(chains, 0.95)),
          .mcse_mean = std::sqrt(variance_of(pooled) / effective_size_of(halves))};
}

}  // namespace dpvi
