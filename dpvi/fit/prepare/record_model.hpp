#pragma once

#include <optional>
#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/record_table.hpp>
#include <dpvi/fit/prepare/mock_record.hpp>
#include <dpvi/fit/prepare/output_variable.hpp>
#include <dpvi/fit/prepare/prepared_records.hpp>
#include <dpvi/fit/prepare/unit_width.hpp>
#include <dpvi/stan/run/stan_model.hpp>
#include <dpvi/tape/lanes/record_tape.hpp>
#include <dpvi/tape/lanes/uniform_function.hpp>

namespace dpvi {

// A program ready to fit: its prior, the contribution of one record, and its outputs.
class RecordModel {
 public:
  explicit RecordModel(StanModel model);

  const StanModel& stan() const { return model_; }
  std::size_t dimension() const { return static_cast<std::size_t>(model_.free_size); }
  const RecordTape& tape() const { return tape_; }
  const UniformFunction& prior() const { return prior_; }
  // For each entry of theta: true if a record's contribution depends on it. The gradient in the
  // other entries (for example, scales of group effects) is known without any record.
  const std::vector<bool>& used_by_records() const { return used_by_records_; }

  // Names of theta's entries, in Stan's order: "beta.1".
  const std::vector<std::string>& unconstrained_names() const { return unconstrained_names_; }

  // The layout of a record if the program uses the rows of a unit together; else nullopt.
  std::optional<UnitWidth> unit_width() const;
  // Rows of a table, to be appended in the columns that the tape reads.
  PreparedRecords empty_records(Precision precision) const;

  // Parameters, transformed parameters and retained generated quantities.
  const std::vector<OutputVariable>& outputs() const { return outputs_; }
  // Values of the outputs at theta, first index fastest.
  std::vector<double> output_values(std::span<const double> theta) const;

  // Converts the records of a table to the columns that the tape reads, with the rows of each
  // record gathered, as PreparedRecords does. The first overload takes over the table and frees its
  // memory step by step.
  RecordTable prepare(RecordTable&& raw, Precision precision = Precision::double_precision) const;
  RecordTable prepare(std::span<const MockRecord> rows,
                      Precision precision = Precision::double_precision,
                      std::size_t rows_per_record = 1) const;

 private:
  void add_output(const NamedValue& value);

  StanModel model_;
  RecordTape tape_;
  UniformFunction prior_;
  std::vector<bool> used_by_records_;
  std::vector<std::string> unconstrained_names_;
  std::vector<OutputVariable> outputs_;
  std::vector<NodeId> output_nodes_;
  std::vector<std::size_t> output_order_;  // position in the values of output_nodes_
  UniformValues output_values_;
};

}  // namespace dpvi
