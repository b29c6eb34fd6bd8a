#pragma once

#include <functional>
#include <span>
#include <vector>

#include <dpvi/stan/facts/density_needs.hpp>
#include <dpvi/stan/run/interpreter.hpp>
#include <dpvi/stan/run/stan_model.hpp>

namespace dpvi {

// A mock or public record, with its columns in the order of RecordVariable.
struct ProgramRecord {
  std::vector<double> reals;
  std::vector<double> integers;
};

// Inputs shared by all runs of one program.
struct RunSetting {
  const CheckedProgram& checked;
  const DataBlock& data;
  const FunctionRegistry& registry;
  const StanModelOptions& options;
  bool statements_apart = false;  // see Interpreter::keep_statements_apart
};

// A transformed data or generated quantities statement that could not be executed, and the reason.
struct FailedStatement {
  const StanStatement* statement = nullptr;
  std::string why;  // includes the line
};

// True if some entry was never computed because a statement was skipped or failed.
bool has_gaps(const Value& value, GraphBuilder& builder);

// Runs a program up to and including its model block, on symbolic or on known records.
class ProgramRun {
 public:
  ProgramRun(const RunSetting& setting, GraphBuilder& builder);

  // Runs on one symbolic record, whose columns the graph reads. With several records the columns
  // are grouped by variable, then by record.
  void run_on_symbolic_record() { run_on_symbolic_records(1); }
  void run_on_symbolic_records(std::int64_t count);
  // The same on one record, with densities of record data as symbols.
  void run_on_symbolic_record(DensitySites& densities);
  // Runs on one symbolic record: a row of this table (DataBlock::tables).
  void run_on_symbolic_row_of(std::size_t table);
  // Runs on the rows of one unit, whose columns are laid out for `capacity` rows (UnitLayout).
  void run_on_symbolic_unit(std::int64_t rows, std::int64_t capacity);
  void run_on(std::span<const ProgramRecord> records);
  // The same, if records are rows of units. `unit_of` holds the unit of each record: 0, 1, ... in
  // the order of their first records.
  void run_on_units(std::span<const ProgramRecord> records, std::span<const std::size_t> unit_of);
  // The facts that the transformed data request about these records, which must be public.
  ComputedFacts facts_of(std::span<const ProgramRecord> records);
  // Sets up a run: assumptions about ints of the record, steps that earlier runs have used, and
  // whether the run may request further cases.
  void assume(const AssumedInts& assumed, const std::set<NodeId>& outside, std::int64_t spent,
              bool more) {
    context_.assume(assumed, outside, more);
    context_.spend(spent);
  }
  std::int64_t spent() const { return context_.spent(); }
  // Runs after the model block: executes the generated quantities that need neither records nor
  // draws. A statement that fails leaves its variables undefined.
  void run_generated(const RecordDependence& dependence);
  // Runs everything but the model block on known records and parameters, with random draws. Skips
  // the statements that `left_out` selects; null skips none.
  struct KnownPoint {
    std::span<const double> theta;
    std::span<const ProgramRecord> records;
    UniformSource draws;
    bool draws_repeat = false;  // see CallContext
  };
  void run_at(const KnownPoint& point, const RecordDependence* left_out);
  // Runs everything but the model block on one symbolic record. Random draws are collected in
  // `sites`, to be made when the record and the parameters are known.
  void run_on_row(DrawSites& sites);

  const std::vector<FailedStatement>& failures() const { return failures_; }
  const std::vector<TargetTerm>& terms() const { return terms_; }
  const std::vector<ModelParameter>& parameters() const { return parameters_; }
  const std::vector<RecordVariable>& columns() const { return columns_; }
  // Real and integer columns of one record, without latent variables.
  std::int32_t real_columns() const { return data_real_columns_; }
  std::int32_t integer_columns() const { return integer_columns_; }
  // Latent variables of the record: real columns after those of the data, one entry per parameter.
  const std::vector<RecordVariable>& latents() const { return latents_; }
  CallContext& context() { return context_; }
  std::int64_t record_count() const { return record_count_; }
  std::int32_t free_size() const { return free_size_; }
  const Value& value_of(const Declaration& declaration) {
    return interpreter_.slot(declaration.slot);
  }

 private:
  void run();
  // Executes a part of a run. If it exceeds a limit of the graph, the error names the current
  // statement.
  void attempt(const std::function<void()>& part);
  void bind_data();
  void separate_units();
  void separate_tables();
  std::vector<std::int64_t> rows_of(const DataBlockVariable& variable) const;
  void bind_table_number();
  Value unit_numbers(const Dims& dims, const Declaration& declaration);
  std::int32_t column_of(const RecordVariable& columns, std::int64_t record) const;
  // The first record of each unit.
  std::vector<std::int64_t> first_records() const;
  Value known_value(const DataBlockVariable& variable, const Dims& dims);
  Value mock_value(const DataBlockVariable& variable, const Dims& dims);
  // Builds a value from numbers in JSON order (last index fastest).
  Value value_by_rows(const Declaration& declaration, const Dims& dims,
                      const std::vector<double>& by_rows);
  Value record_value(const DataBlockVariable& variable, const Dims& dims);
  void declare_column_ranges(const RecordVariable& columns);
  NodeId record_entry(const RecordVariable& columns, std::int64_t record, std::int64_t entry);
  std::optional<double> known_bound(const StanExpression* bound);
  void check_known_bounds(const DataBlockVariable& variable, const Value& value);
  void bind_parameters();
  void bind_parameter(const Declaration& declaration);
  std::optional<std::size_t> record_axis(const Declaration& declaration);
  void bind_latent(const Declaration& declaration, std::size_t axis);
  std::int64_t latent_owners() const;
  NodeId latent_entry(const RecordVariable& columns, std::int64_t owner, std::int64_t entry);
  Transform transform_for(const Declaration& declaration, const Dims& dims);
  std::optional<NodeId> parameter_bound(const Declaration& declaration, const StanExpression* bound,
                                        const Dims& dims);
  // The next entries of the unconstrained vector: symbolic, or taken from the known point.
  NodeId next_free(std::int32_t size);
  void execute_block(BlockKind kind);
  void execute_transformed_data();
  bool bounds_concern_density(const Declaration& declaration, const Value& value);
  void execute_generated();
  // If a statement fails, the variables it would have changed become unreadable; its siblings in a
  // block still run.
  void execute_what_runs(const StanStatement& statement);
  // Stan rejects transformed data and parameters outside their declared bounds; here the density is
  // then NaN.
  void check_declared_bounds(BlockKind kind);
  void declare_int_ranges(const Declaration& declaration, const Value& value);

  const RunSetting& setting_;
  std::vector<std::string> variable_names_;
  CallContext context_;
  FunctionLookup lookup_;
  DensityNeeds needs_;
  Interpreter interpreter_;
  bool symbolic_ = false;
  const KnownPoint* point_ = nullptr;
  DensitySites* densities_ = nullptr;
  std::span<const ProgramRecord> records_;
  std::int64_t record_count_ = 0;
  std::int64_t capacity_ = 0;         // rows for which a unit has columns
  std::vector<std::size_t> unit_of_;  // the unit of each record
  std::int64_t unit_count_ = 0;
  std::vector<std::vector<std::int64_t>> rows_of_table_;  // the records of each table
  std::vector<RecordVariable> columns_;
  std::vector<RecordVariable> latents_;
  std::int32_t real_columns_ = 0;
  std::int32_t data_real_columns_ = 0;
  std::int32_t integer_columns_ = 0;
  std::int32_t free_size_ = 0;
  std::vector<ModelParameter> parameters_;
  std::vector<TargetTerm> terms_;
  std::vector<FailedStatement> failures_;
};

}  // namespace dpvi
