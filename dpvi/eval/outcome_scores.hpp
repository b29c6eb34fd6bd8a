#pragma once

#include <optional>
#include <vector>

#include <dpvi/eval/outcome_prediction.hpp>

namespace dpvi {

// Rows whose prediction lies between `lower` and `upper`, with their mean prediction and the share
// that came true.
struct CalibrationBin {
  double lower = 0.0;
  double upper = 0.0;
  std::size_t rows = 0;
  double predicted = 0.0;
  double observed = 0.0;
};

// Quality of predictions. Computed from outcomes without privacy protection, so only for public
// ones.
struct OutcomeScores {
  std::size_t rows = 0;                 // number of rows scored
  std::size_t left_out = 0;             // number of rows without a usable prediction and outcome
  double log_predictive_density = 0.0;  // mean over rows
  // Set if the outcome's values can be enumerated. The Brier score is the mean squared error of the
  // probability of the second of two values, or summed over all values if there are more. The
  // accuracy is that of the most likely value.
  std::optional<double> accuracy;
  std::optional<double> brier;
  // Ten bins of the probability of the second of two values, or of the most likely value if there
  // are more. Empty bins are left out.
  std::vector<CalibrationBin> calibration;
};

// `rows` must be the prediction's rows, with their outcomes.
OutcomeScores score_outcome(const OutcomePrediction& prediction, const OutcomeColumn& outcome,
                            const RowTable& rows);

}  // namespace dpvi
