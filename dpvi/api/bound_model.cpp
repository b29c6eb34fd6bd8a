#include <dpvi/api/bound_model.hpp>

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpvi/api/level_names.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/data/public_facts.hpp>
#include <dpvi/fit/prepare/program_data.hpp>
#include <dpvi/fit/prepare/requested_facts.hpp>
#include <dpvi/model/stan_functions.hpp>

namespace dpvi {
namespace {

StanModelOptions options_for(const Program& program, const Binding& binding) {
  StanModelOptions options;
  options.record_count = program.inputs().record_count;
  options.known = known_data(binding.public_data);
  options.facts = record_facts(binding);
  if (binding.unit) options.rows_per_unit = static_cast<std::int32_t>(binding.unit->max_rows);
  return options;
}

StanModel built(const Program& program, const Binding& binding) {
  const CheckedProgram& checked = program.inputs().program;
  const StanModelOptions options = options_for(program, binding);
  auto built = try_build_stan_model(checked, program.data(), stan_functions(), options);
  if (auto* model = std::get_if<StanModel>(&built)) return std::move(*model);
  const RunFailure& failure = std::get<RunFailure>(built);
  if (failure.kind != RunFailureKind::missing_fact) throw failure.error;
  throw with_all_facts(failure.error, checked.program, program.data(), options.facts);
}

RecordModel build_model(const Program& program, const Binding& binding) {
  StanModel model = built(program, binding);
  check_same_columns(model, binding);
  if (model.free_size == 0) {
    throw InputError(kNothingToFit, "the program has no parameters.", "There is nothing to fit.",
                     {program.inputs().file, 0, 0});
  }
  return RecordModel(std::move(model));
}

BoundModel bound_model(const Program& program, const BindingRequest& request, Binding binding) {
  auto facts = list_public_facts(request, binding);
  RecordModel model = build_model(program, binding);
  return {program, std::move(binding), std::move(facts), std::move(model)};
}

UnopenedRecords unopened(BindingRequest request, Table table) {
  if (auto* file = std::get_if<TableFile>(&table)) {
    request.table_file = file->path;
    return {std::move(request), file->public_names};
  }
  request.table_file = name_of(table);
  if (const auto* stream = std::get_if<StreamedTable>(&table)) {
    return {std::move(request), stream->open()};
  }
  return {std::move(request), std::get<MemoryTable>(std::move(table))};
}

}  // namespace

StanModelOptions BoundModel::options() const { return options_for(program, binding); }

std::shared_ptr<const ReleaseModel> release_model(const BoundModel& bound) {
  StanModelOptions options = bound.options();
  options.keep_gathered_vectors = true;
  return std::make_shared<const ReleaseModel>(build_stan_model(
      bound.program.inputs().program, bound.program.data(), stan_functions(), options));
}

BoundModel bind_without_table(const Program& program) {
  const BindingRequest request = program.binding_request();
  return bound_model(program, request, bind_columns(request));
}

BoundModel bind_to_columns(const Program& program, std::vector<std::string> header,
                           const std::string& table) {
  BindingRequest request = program.binding_request();
  request.table_file = table;
  request.header = std::move(header);
  return bound_model(program, request, bind_columns(request));
}

BoundTable bind_to_table(const Program& program, Table table) {
  UnopenedRecords records = unopened(program.binding_request(), std::move(table));
  auto bound = std::make_shared<const BoundModel>(
      bound_model(program, records.request(), records.binding()));
  return {std::move(bound), std::move(records)};
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

PublicInputs public_inputs(const BoundModel& bound) {
  PublicInputs result;
  result.record_count = bound.program.inputs().record_count;
  const std::vector<std::string>& tables = bound.program.data().tables;
  if (!tables.empty()) result.record_count = fmt::format("{}", fmt::join(tables, ", "));
  for (const auto& [name, value] : bound.binding.public_data) {
    result.values[name] = {value.integers, value.dimensions, value.numbers};
  }
  for (const BoundVariable& variable : bound.binding.variables) {
    if (variable.name == TableNumber::kName) continue;
    result.columns[variable.name] = columns_of(bound.binding, variable.name);
  }
  for (const ColumnSchema& column : bound.program.inputs().schema.columns) {
    if (!column.levels_file.empty()) result.level_files[column.levels_file] = column.levels;
  }
  for (auto& [name, dimensions] : level_names(bound)) {
    const bool named =
        std::ranges::any_of(dimensions, [](const auto& names) { return !names.empty(); });
    if (named) result.index_names[name] = std::move(dimensions);
  }
  return result;
}

}  // namespace dpvi
