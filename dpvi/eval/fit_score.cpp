#include <dpvi/eval/fit_score.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <dpvi/eval/draw_summary.hpp>

namespace dpvi {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

bool is_finite(const NumberEstimate& one) {
  return std::isfinite(one.mean) && std::isfinite(one.q5) && std::isfinite(one.q95);
}

template <class Entry>
double median_of(std::span<const NumberEstimate> estimates, const Entry& entry) {
  std::vector<double> values;
  for (const NumberEstimate& one : estimates) {
    const double value = entry(one);
    if (std::isfinite(value)) values.push_back(value);
  }
  if (values.empty()) return kUnknown;
  std::ranges::sort(values);
  return quantile(values, 0.5);
}

void add_errors(FitScore& score, std::span<const NumberEstimate> estimates) {
  double sum = 0.0, squares = 0.0, count = 0.0;
  for (const NumberEstimate& one : estimates) {
    if (!is_finite(one)) continue;
    const double error = one.mean - one.truth;
    sum += error;
    squares += error * error;
    count += 1.0;
  }
  score.bias = sum / count;
  score.rmse = std::sqrt(squares / count);
  const double variance = squares / count - score.bias * score.bias;
  score.bias_se = count > 1.0 ? std::sqrt(std::max(0.0, variance) / (count - 1.0)) : kUnknown;
}

void add_coverage(FitScore& score, std::span<const NumberEstimate> estimates) {
  const auto covers = [](const NumberEstimate& one) {
    return one.q5 <= one.truth && one.truth <= one.q95;
  };
  const auto count = static_cast<double>(estimates.size());
  const auto covered = static_cast<double>(std::ranges::count_if(estimates, covers));
  score.coverage = covered / count;
  const double share = (covered + 1.0) / (count + 2.0);
  score.coverage_se = std::sqrt(share * (1.0 - share) / count);
}

}  // namespace

FitScore score_of(std::span<const NumberEstimate> estimates, double prior_sd, double prior_width) {
  FitScore score{.fits = estimates.size()};
  add_errors(score, estimates);
  add_coverage(score, estimates);
  score.width = median_of(estimates, [](const auto& one) { return one.q95 - one.q5; });
  score.sd = median_of(estimates, [](const auto& one) { return one.sd; });
  score.sd_model = median_of(estimates, [](const auto& one) { return one.sd_model; });
  score.sd_privacy = median_of(estimates, [](const auto& one) { return one.sd_privacy; });
  score.width_of_prior = std::isfinite(prior_width) ? score.width / prior_width : kUnknown;
  score.prior_share = std::isfinite(prior_sd)
                          ? std::min(1.0, score.sd * score.sd / (prior_sd * prior_sd))
                          : kUnknown;
  if (estimates.empty()) score.coverage = score.coverage_se = kUnknown;
  return score;
}

}  // namespace dpvi
