#pragma once

#include <optional>
#include <vector>

#include <dpvi/eval/outcome_prediction.hpp>

namespace dpvi {

// Rows whose prediction lies between `lower` and `upper`: the mean of the predictions and the share
// that came true.
struct CalibrationBin {
  double lower = 0.0;
  double upper = 0.0;
  std::size_t rows = 0;
  double predicted = 0.0;
  double observed = 0.0;
};

// How good predictions were. Computed from outcomes without protection: only for public ones.
struct OutcomeScores {
  std::size_t rows = 0;                 // scored
  std::size_t left_out = 0;             // without a usable prediction and outcome
  double log_predictive_density = 0.0;  // mean over rows
  // Where the outcome's values can be counted. Brier: mean squared error of the probability of the
  // second of two values, or summed over all of more than two. Accuracy: of the likeliest value.
  std::optional<double> accuracy;
  std::optional<double> brier;
  // Ten bins of the probability of the second of two values, or of the likeliest of more; empty
  // bins are left out.
  std::vector<CalibrationBin> calibration;
};

// The prediction's rows, with their outcomes.
OutcomeScores score_outcome(const OutcomePrediction& prediction, const OutcomeColumn& outcome,
                            const RowTable& rows);

}  // namespace dpvi
