#pragma once

#include <string>
#include <vector>

#include <dpvi/fit/mock/component_labels.hpp>
#include <dpvi/fit/mock/outcome_law.hpp>
#include <dpvi/fit/prepare/record_model.hpp>
#include <dpvi/gradient/coordinates.hpp>

namespace dpvi {

// Public predictions about the private records from mock records: the optimum of a fit, the size of
// a record's gradient there, and the information in a record.
struct MockStudy {
  std::vector<double> theta;             // mode of the mock posterior, outside a funnel's neck
  std::vector<double> prior_precision;   // row-major, at theta; empty with many parameters
  std::vector<double> record_precision;  // the same, averaged over mock records
  // Columns with too few declared facts for mock values to resemble the real ones.
  std::vector<std::string> unknown_columns;
  // If mock records can be trusted, coordinates centred at the mode in which the mock posterior is
  // round; else theta itself, centred at zero.
  Coordinates coordinates;
  // For each coordinate: true if record gradients can be non-zero.
  std::vector<bool> used_by_records;
  // For each entry of theta: the share of mock records whose gradient is not zero.
  std::vector<double> touched = {};
  // Start of a fit: the centre of the coordinates, or the same with mixture components separated.
  std::vector<double> start;
  bool components_separated = false;
  std::vector<ComponentEntries> components = {};  // if they are separated
  std::vector<double> gradient_norms;             // in working coordinates, increasing
  // Gradients in working coordinates, one row per record; empty with many parameters.
  std::vector<double> gradients;
  // The law of the outcome, and the norms of longest gradients over its values (OutcomeLengths).
  OutcomeLaw law = {};
  std::vector<double> outcome_norms = {};
  // For each of these norms: the mean squared norm of the record's gradients under the law.
  std::vector<double> outcome_squares = {};
  // Mock records have the largest number of rows allowed, up to a limit.
  double rows_per_record = 1.0;

  // Number of such records in a table of that many rows.
  double records_in(double rows) const;

  // Returns the gradient norm that this share of mock records does not exceed: with their own
  // outcomes, or with any outcome.
  double norm_quantile(double share) const;
  double outcome_norm_quantile(double share) const;
};

// The result is public: it depends only on the program, the declared facts of the binding, the
// declared number of rows and a fixed seed.
MockStudy study_mock_records(const RecordModel& model, const Binding& binding, double rows);

}  // namespace dpvi
