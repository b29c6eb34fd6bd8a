#pragma once

#include <string>
#include <vector>

#include <dpvi/fit/record_model.hpp>
#include <dpvi/gradient/coordinates.hpp>

namespace dpvi {

// What made-up records tell about the private ones before any of those is read: where a fit of the
// mock table ends, how large a record's gradient is there, and how much a record informs.
struct MockStudy {
  std::vector<double> theta;             // mode of the mock posterior, not in a funnel's neck
  std::vector<double> prior_precision;   // row-major, at theta; empty with very many parameters
  std::vector<double> record_precision;  // likewise, mean over mock records
  // Columns of which too little is declared for made-up values to resemble the real ones.
  std::vector<std::string> unknown_columns;
  // Where made-up records can be trusted, those in which the mock posterior is round, around its
  // mode; else theta itself, around zero.
  Coordinates coordinates;
  // By coordinate: whether records' gradients can be other than zero.
  std::vector<bool> used_by_records;
  // Where a fit should start: the coordinates' centre, or components of a mixture apart from there.
  std::vector<double> start;
  bool components_apart = false;
  std::vector<double> gradient_norms;  // by the coordinates, increasing
  // By the coordinates, one row per record; empty with very many parameters.
  std::vector<double> gradients;
  // Made-up records have as many as one may have, within a limit.
  double rows_per_record = 1.0;

  // How many such records a table of that many rows would have.
  double records_in(double rows) const;

  // That share of made-up gradients is not longer.
  double norm_quantile(double share) const;
};

// Public: depends on the program, the binding's declared facts, the declared number of rows and a
// fixed seed alone.
MockStudy study_mock_records(const RecordModel& model, const Binding& binding, double rows);

}  // namespace dpvi
