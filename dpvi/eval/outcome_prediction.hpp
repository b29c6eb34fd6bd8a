#pragma once

#include <vector>

#include <dpvi/eval/outcome_column.hpp>
#include <dpvi/eval/row_summary.hpp>
#include <dpvi/family/family.hpp>
#include <dpvi/fit/prepare/record_model.hpp>

namespace dpvi {

// Predictions of the outcome of rows by the program's own density.
struct OutcomePrediction {
  // Probability of each value that the outcome can take, given the rest of the row. With two values
  // it holds the second alone. Empty if the values cannot be enumerated.
  std::vector<RowSummary> probabilities;
  // Mean probabilities of all values, as [value][row].
  std::vector<std::vector<double>> by_value;
  // Log of the mean density of the row over draws. If values can be enumerated, it is the density
  // of the outcome given the rest of the row. Empty if no row has an outcome.
  std::vector<double> log_density;
};

// Averages over draws from the posterior.
OutcomePrediction predict_outcome(const RecordModel& model, const OutcomeColumn& outcome,
                                  const RowTable& rows, const PosteriorPoints& points);

// Prediction of Jalko, Dikmen & Honkela (2017): sigmoid(a / sqrt(1 + pi s^2 / 8)), where a is the
// log odds at the posterior's location and s^2 their variance. The variance comes from the gradient
// of the log odds. If the predictor is linear, the only approximation is the probit one. Only for
// outcomes with two values.
OutcomePrediction predict_by_probit_approximation(const RecordModel& model,
                                                  const OutcomeColumn& outcome,
                                                  const RowTable& rows, const Family& family,
                                                  std::span<const double> parameters);

}  // namespace dpvi
