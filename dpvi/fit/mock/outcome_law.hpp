#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/fit/mock/outcome_simulator.hpp>
#include <dpvi/fit/prepare/mock_record.hpp>
#include <dpvi/fit/prepare/record_model.hpp>
#include <dpvi/gradient/coordinates.hpp>
#include <dpvi/tape/lanes/outcome_columns.hpp>

namespace dpvi {

// The law that a program gives the outcome of a record, given the rest of the record. Conditionally
// unbiased clipping needs it.
struct OutcomeLaw {
  std::optional<OutcomeColumns> columns;  // few values, which clipping enumerates
  // Otherwise draws from the law; nullptr with `columns`, or if there is no law.
  std::shared_ptr<const OutcomeSimulator> simulator = nullptr;
  std::string description;  // the law in words, or the reason why there is none

  bool found() const { return columns || simulator != nullptr; }
};

// Looks for a law with few values. It is accepted if the outcome is one integer of the record with
// few possible values and if the mean gradient under the law is zero, at mock records and several
// draws from the prior. The result is public: it depends only on the program, the declared facts of
// the binding and fixed seeds.
OutcomeLaw find_outcome_law(const RecordModel& model, const Binding& binding);

// The same, and otherwise a law that can be simulated.
OutcomeLaw find_any_outcome_law(const RecordModel& model, const Binding& binding);

// How mock records are made into records of several rows, and how often outcomes are simulated.
struct SimulatedNorms {
  std::size_t rows_per_record = 1;
  std::size_t outcomes = 5;
};

// Lengths of records' gradients over the values of their outcomes, in working coordinates. Records
// for which these are zero or not finite are left out.
struct OutcomeLengths {
  std::vector<double> longest;  // norm of each record's longest gradient, increasing
  std::vector<double> squares;  // for each of these, the mean squared norm under the law
};

OutcomeLengths simulated_lengths(const RecordModel& model, const std::vector<MockRecord>& records,
                                 const OutcomeSimulator& simulator, const Coordinates& coordinates,
                                 std::span<const double> theta, const SimulatedNorms& size);

// The same for an outcome with few values.
OutcomeLengths outcome_lengths(const RecordModel& model, std::vector<MockRecord> records,
                               const OutcomeColumns& outcome, const Coordinates& coordinates,
                               std::span<const double> theta);

}  // namespace dpvi
