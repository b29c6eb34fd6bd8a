#include "fit_data.hpp"

#include <fmt/format.h>

#include <dpvi/base/error.hpp>
#include <dpvi/data/csv_reader.hpp>
#include <dpvi/data/json_records.hpp>
#include <dpvi/data/public_facts.hpp>
#include <dpvi/data/record_reader.hpp>
#include <dpvi/data/table_inspection.hpp>
#include <dpvi/fit/asked_facts.hpp>
#include <dpvi/fit/prepared_records.hpp>
#include <dpvi/fit/program_data.hpp>
#include <dpvi/model/stan_functions.hpp>

#include "privacy_flags.hpp"

namespace dpvi::cli {
namespace {

StanModel built(const ModelInputs& inputs, const DataBlock& data, const Binding& binding) {
  const StanModelOptions options = model_options(inputs, binding);
  try {
    return build_stan_model(inputs.program, data, stan_functions(), options);
  } catch (const InputError& error) {
    if (error.code().id != kModelFact.id) throw;
    throw with_all_facts(error, inputs.program.program, data, options.facts);
  }
}

RecordModel build_model(const ModelInputs& inputs, const DataBlock& data, const Binding& binding) {
  StanModel model = built(inputs, data, binding);
  check_same_columns(model, binding);
  if (model.free_size == 0) {
    throw InputError(kNothingToFit, "the program has no parameters.", "There is nothing to fit.",
                     {inputs.file, 0, 0});
  }
  return RecordModel(std::move(model));
}

BoundModel bound_model(const ModelInputs& inputs, const DataBlock& data,
                       const BindingRequest& request, Binding binding) {
  auto facts = list_public_facts(request, binding);
  RecordModel model = build_model(inputs, data, binding);
  return {std::move(binding), std::move(facts), std::move(model)};
}

// Refuses a table with a column that has no usable cell.
template <typename Rows>
void read_inspected(Rows& rows, const Binding& binding, PreparedRecords& records) {
  TableInspector inspector(binding);
  RecordReader reader(binding);
  while (rows.next_row()) {
    inspector.add_row(rows.cells());
    reader.append_row(rows.cells(), records);
  }
  const TableInspection found = inspector.result();
  const ColumnInspection* column = found.useless_column();
  if (column == nullptr) return;
  throw InputError(kNothingUsable,
                   fmt::format("column '{}' has no usable cell, and --inspect-first asked to stop "
                               "then.",
                               column->name),
                   "Look with 'dpvi inspect'.");
}

// Takes the rows over, so that what they held is gone before records are gathered.
template <typename Rows>
PreparedRecords read_rows(Rows rows, const BoundModel& bound, const DataSource& source) {
  PreparedRecords records(bound.model.tape(), source.choose_precision(bound.model, bound.binding));
  if (source.inspect_first) {
    read_inspected(rows, bound.binding, records);
  } else {
    read_records(rows, bound.binding, records);
  }
  return records;
}

template <typename Rows>
OpenedData read_whole(Rows rows, BoundModel bound, const DataSource& source) {
  RecordTable records = read_rows(std::move(rows), bound, source).gathered();
  return {std::move(bound), std::move(records)};
}

OpenedData open_json(const DataSource& source, const ModelInputs& inputs, const DataBlock& data) {
  BindingRequest request = binding_request(inputs, data);
  request.table_file = source.file;
  JsonRecords found =
      bind_json(read_stan_json(source.file), request, name_list(source.public_names));
  BoundModel bound = bound_model(inputs, data, request, std::move(found.binding));
  return read_whole(std::move(found.rows), std::move(bound), source);
}

OpenedData open_csv(const DataSource& source, const ModelInputs& inputs, const DataBlock& data) {
  CsvReader csv(source.file);
  BoundModel bound = bind_to_columns(inputs, data, csv.header(), source.file);
  return read_whole(std::move(csv), std::move(bound), source);
}

}  // namespace

StanModelOptions model_options(const ModelInputs& inputs, const Binding& binding) {
  StanModelOptions options;
  options.record_count = inputs.record_count;
  options.known = known_data(binding.public_data);
  options.facts = record_facts(binding);
  return options;
}

BoundModel bind_without_table(const ModelInputs& inputs, const DataBlock& data) {
  const BindingRequest request = binding_request(inputs, data);
  return bound_model(inputs, data, request, bind_columns(request));
}

BoundModel bind_to_columns(const ModelInputs& inputs, const DataBlock& data,
                           std::vector<std::string> header, const std::string& table) {
  BindingRequest request = binding_request(inputs, data);
  request.table_file = table;
  request.header = std::move(header);
  return bound_model(inputs, data, request, bind_columns(request));
}

std::vector<std::string> columns_of(const Binding& binding, const std::string& variable) {
  std::vector<std::string> names;
  for (const BoundVariable& bound : binding.variables) {
    if (bound.name != variable) continue;
    const auto& slots =
        bound.base == BaseType::integer ? binding.integer_slots : binding.real_slots;
    for (std::size_t i = 0; i < bound.count; ++i) {
      const std::string& column = binding.columns[slots[bound.first_slot + i].column].name;
      if (names.empty() || names.back() != column) names.push_back(column);
    }
  }
  return names;
}

PublicInputs public_inputs(const ModelInputs& inputs, const Binding& binding) {
  PublicInputs result;
  result.record_count = inputs.record_count;
  for (const auto& [name, value] : binding.public_data) {
    result.values[name] = {value.integers, value.dimensions, value.numbers};
  }
  for (const BoundVariable& variable : binding.variables) {
    result.columns[variable.name] = columns_of(binding, variable.name);
  }
  for (const ColumnSchema& column : inputs.schema.columns) {
    if (!column.levels_file.empty()) result.level_files[column.levels_file] = column.levels;
  }
  return result;
}

OpenedData open_data(const DataSource& source, const ModelInputs& inputs, const DataBlock& data) {
  if (is_json(source.file)) return open_json(source, inputs, data);
  if (!source.public_names.empty()) {
    throw UsageError(kContradiction, "--public-names goes only with Stan JSON as DATA.",
                     "A CSV file has nothing but records; give public values with --public.");
  }
  return open_csv(source, inputs, data);
}

bool is_json(const std::string& file) { return file.ends_with(".json"); }

std::vector<std::string> name_list(const std::string& names) {
  return names.empty() ? std::vector<std::string>{} : split(names, ',');
}

}  // namespace dpvi::cli
