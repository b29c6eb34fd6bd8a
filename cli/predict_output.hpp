#pragma once

#include <optional>
#include <string>
#include <vector>

#include <dpvi/eval/outcome_scores.hpp>
#include <dpvi/eval/row_summary.hpp>

namespace dpvi::cli {

struct Predictions {
  std::size_t rows = 0;
  std::size_t unusable_rows = 0;
  std::vector<RowSummary> summaries;
  std::vector<RowSummary> means;    // without quantiles
  std::vector<double> log_density;  // empty if there are no outcomes
  std::optional<OutcomeScores> scores;
};

// CSV with columns row,G_mean,G_q5,G_q95,... Unusable rows hold NaN.
std::string predictions_csv(const Predictions& predictions);

std::string scores_text(const OutcomeScores& scores, const std::string& column);

// Returns the members of a JSON object without braces.
std::string scores_json(const OutcomeScores& scores, const std::string& column);

}  // namespace dpvi::cli
