#include "fit_data.hpp"

#include <variant>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>
#include <dpvi/data/public_facts.hpp>
#include <dpvi/fit/prepare/program_data.hpp>
#include <dpvi/fit/prepare/requested_facts.hpp>
#include <dpvi/model/stan_functions.hpp>

#include "privacy_flags.hpp"

namespace dpvi::cli {
namespace {

StanModel built(const ModelInputs& inputs, const DataBlock& data, const Binding& binding) {
  const StanModelOptions options = model_options(inputs, binding);
  auto built = try_build_stan_model(inputs.program, data, stan_functions(), options);
  if (auto* model = std::get_if<StanModel>(&built)) return std::move(*model);
  const RunFailure& failure = std::get<RunFailure>(built);
  if (failure.kind != RunFailureKind::missing_fact) throw failure.error;
  throw with_all_facts(failure.error, inputs.program.program, data, options.facts);
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

BoundFile bind_to_file(const ModelInputs& inputs, const DataBlock& data, const std::string& file,
                       const std::string& public_names) {
  BindingRequest request = binding_request(inputs, data);
  request.table_file = file;
  RecordFile opened(std::move(request), name_list(public_names));
  BoundModel bound = bound_model(inputs, data, opened.request(), opened.binding());
  return {std::move(bound), std::move(opened)};
}

std::vector<std::string> name_list(const std::string& names) {
  return names.empty() ? std::vector<std::string>{} : split(names, ',');
}

}  // namespace dpvi::cli
