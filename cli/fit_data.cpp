#include "fit_data.hpp"

#include <dpvi/base/error.hpp>
#include <dpvi/data/csv_reader.hpp>
#include <dpvi/data/json_records.hpp>
#include <dpvi/data/public_facts.hpp>
#include <dpvi/data/record_reader.hpp>
#include <dpvi/fit/program_data.hpp>
#include <dpvi/model/stan_functions.hpp>

#include "privacy_flags.hpp"

namespace dpvi::cli {
namespace {

RecordModel build_model(const ModelInputs& inputs, const DataBlock& data, const Binding& binding) {
  StanModelOptions options;
  options.record_count = inputs.record_count;
  options.known = known_data(binding.public_data);
  options.facts = record_facts(binding);
  StanModel model = build_stan_model(inputs.program, data, stan_functions(), options);
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

OpenedData open_json(const std::string& file, const std::string& public_names,
                     const ModelInputs& inputs, const DataBlock& data, ChoosePrecision choose) {
  BindingRequest request = binding_request(inputs, data);
  request.table_file = file;
  const std::vector<std::string> names =
      public_names.empty() ? std::vector<std::string>{} : split(public_names, ',');
  JsonRecords found = bind_json(read_stan_json(file), request, names);
  BoundModel bound = bound_model(inputs, data, request, std::move(found.binding));
  const Precision precision = choose(bound.model, bound.binding);
  RecordTable records = bound.model.prepare(std::move(found.table), precision);
  return {std::move(bound), std::move(records)};
}

OpenedData open_csv(const std::string& file, const ModelInputs& inputs, const DataBlock& data,
                    ChoosePrecision choose) {
  CsvReader csv(file);
  BindingRequest request = binding_request(inputs, data);
  request.table_file = file;
  request.header = csv.header();
  BoundModel bound = bound_model(inputs, data, request, bind_columns(request));
  const Precision precision = choose(bound.model, bound.binding);
  RecordTable records = bound.model.prepare(read_records(csv, bound.binding), precision);
  return {std::move(bound), std::move(records)};
}

}  // namespace

BoundModel bind_without_table(const ModelInputs& inputs, const DataBlock& data) {
  const BindingRequest request = binding_request(inputs, data);
  return bound_model(inputs, data, request, bind_columns(request));
}

OpenedData open_data(const std::string& file, const std::string& public_names,
                     const ModelInputs& inputs, const DataBlock& data, ChoosePrecision choose) {
  if (file.ends_with(".json")) return open_json(file, public_names, inputs, data, choose);
  if (!public_names.empty()) {
    throw UsageError(kContradiction, "--public-names goes only with Stan JSON as DATA.",
                     "A CSV file has nothing but records; give public values with --public.");
  }
  return open_csv(file, inputs, data, choose);
}

}  // namespace dpvi::cli
