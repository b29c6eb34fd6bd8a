#include <dpvi/eval/simulation_summary.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <fmt/format.h>

#include <dpvi/eval/draw_summary.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kMostListed = 12;  // entries of one variable

// Median of a field over the scores that have it.
double typical(std::span<const FitScore> scores, double FitScore::*field) {
  std::vector<double> values;
  for (const FitScore& score : scores) {
    if (std::isfinite(score.*field)) values.push_back(score.*field);
  }
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::ranges::sort(values);
  return quantile(values, 0.5);
}

double mean_coverage(std::span<const FitScore> scores) {
  double sum = 0.0, count = 0.0;
  for (const FitScore& score : scores) {
    if (!std::isfinite(score.coverage)) continue;
    sum += score.coverage;
    count += 1.0;
  }
  return sum / count;
}

// The error of a mean coverage if all numbers of a fit cover or miss together.
double together_se(double coverage, std::size_t fits) {
  const auto count = static_cast<double>(fits);
  const double share = (coverage * count + 1.0) / (count + 2.0);
  return std::sqrt(share * (1.0 - share) / count);
}

FitScore typical_score(std::span<const FitScore> scores) {
  FitScore score{.fits = scores.front().fits};
  for (double FitScore::*field :
       {&FitScore::bias, &FitScore::bias_se, &FitScore::rmse, &FitScore::width, &FitScore::sd,
        &FitScore::sd_model, &FitScore::sd_privacy, &FitScore::width_of_prior,
        &FitScore::prior_share}) {
    score.*field = typical(scores, field);
  }
  score.coverage = mean_coverage(scores);
  score.coverage_se = together_se(score.coverage, score.fits);
  return score;
}

}  // namespace

std::vector<SummarisedNumber> summarised_numbers(const Simulation& simulation,
                                                 const SimulatedCell& cell) {
  std::vector<SummarisedNumber> rows;
  const auto& numbers = simulation.numbers;
  for (std::size_t first = 0, end = 0; first < numbers.size(); first = end) {
    while (end < numbers.size() && numbers[end].variable == numbers[first].variable) ++end;
    if (end - first > kMostListed) {
      const std::span<const FitScore> scores(&cell.scores[first], end - first);
      rows.push_back({fmt::format("{} ({} numbers)", numbers[first].variable, end - first),
                      typical_score(scores)});
      continue;
    }
    for (std::size_t i = first; i < end; ++i) rows.push_back({numbers[i].name, cell.scores[i]});
  }
  return rows;
}

CellSummary summary_of(const SimulatedCell& cell) {
  CellSummary summary{.width_of_prior = typical(cell.scores, &FitScore::width_of_prior),
                      .coverage = mean_coverage(cell.scores)};
  summary.coverage_se = together_se(summary.coverage, cell.fits() - cell.count(FitStatus::failed));
  return summary;
}

}  // namespace dpvi
