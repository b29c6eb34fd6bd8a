#pragma once

#include <vector>

#include <dpvi/eval/outcome_column.hpp>
#include <dpvi/eval/row_summary.hpp>
#include <dpvi/fit/record_model.hpp>

namespace dpvi {

// What a program's own density says about the outcome of rows.
struct OutcomePrediction {
  // Of each value that the outcome can take (of the second alone where there are two): its
  // probability given the rest of the row. Empty where values cannot be counted.
  std::vector<RowSummary> probabilities;
  // Mean probabilities of all values: [value][row].
  std::vector<std::vector<double>> by_value;
  // Log of the mean density of the row, over draws: of its outcome given the rest where values can
  // be counted. Empty if no row has an outcome.
  std::vector<double> log_density;
};

// Averages over draws from the posterior.
OutcomePrediction predict_outcome(const RecordModel& model, const OutcomeColumn& outcome,
                                  const RowTable& rows, const PosteriorPoints& points);

// Jalko, Dikmen & Honkela (2017): sigmoid(a / sqrt(1 + pi s^2 / 8)) with a the log odds at the
// posterior's location and s^2 their variance, here by the gradient of the log odds; exact in the
// probit approximation where the predictor is linear. Only for outcomes with two values.
OutcomePrediction predict_by_laplace(const RecordModel& model, const OutcomeColumn& outcome,
                                     const RowTable& rows, const GaussianFamily& family,
                                     std::span<const double> parameters);

}  // namespace dpvi
