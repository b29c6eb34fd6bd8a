#pragma once

#include <string>

#include <dpvi/api/predict_rows.hpp>

namespace dpvi::cli {

// CSV with columns row,G_mean,G_q5,G_q95,... Unusable rows hold NaN.
std::string predictions_csv(const Predictions& predictions);

std::string scores_text(const OutcomeScores& scores, const std::string& column);

// Returns the members of a JSON object without braces.
std::string scores_json(const OutcomeScores& scores, const std::string& column);

}  // namespace dpvi::cli
