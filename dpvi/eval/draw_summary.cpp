#include <dpvi/eval/draw_summary.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

namespace dpvi {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double standard_deviation(std::span<const double> draws, double mean) {
  if (draws.size() < 2) return kNaN;
  double squares = 0.0;
  for (const double draw : draws) squares += (draw - mean) * (draw - mean);
  return std::sqrt(squares / static_cast<double>(draws.size() - 1));
}

}  // namespace

double quantile(std::span<const double> sorted, double probability) {
  assert(!sorted.empty() && probability >= 0.0 && probability <= 1.0);
  const double place = probability * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double share = place - static_cast<double>(below);
  // The difference of two equal infinities is NaN, so they cannot be interpolated.
  if (share == 0.0 || sorted[below] == sorted[above]) return sorted[below];
  return sorted[below] + share * (sorted[above] - sorted[below]);
}

DrawSummary summarise_draws(std::span<const double> draws) {
  assert(!draws.empty());
  if (std::any_of(draws.begin(), draws.end(), [](double draw) { return std::isnan(draw); })) {
    return {kNaN, kNaN, kNaN, kNaN, kNaN};
  }
  DrawSummary summary;
  summary.mean =
      std::accumulate(draws.begin(), draws.end(), 0.0) / static_cast<double>(draws.size());
  summary.sd = standard_deviation(draws, summary.mean);
  std::vector<double> sorted(draws.begin(), draws.end());
  std::sort(sorted.begin(), sorted.end());
  summary.q5 = quantile(sorted, 0.05);
  summary.median = quantile(sorted, 0.5);
  summary.q95 = quantile(sorted, 0.95);
  return summary;
}

}  // namespace dpvi
