#include "model_inputs.hpp"

#include <fmt/format.h>

#include <filesystem>

#include <dpvi/base/error.hpp>
#include <dpvi/data/json_records.hpp>
#include <dpvi/data/text_file.hpp>
#include <dpvi/fit/prepare/program_data.hpp>
#include <dpvi/model/stan_functions.hpp>

#include "numbers.hpp"

namespace dpvi::cli {
namespace {

void add_define(PublicData& data, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw UsageError(kValueOutsideRule, fmt::format("-D is '{}'; it must be NAME=NUMBER.", text),
                     "For example -D J=85.");
  }
  const std::string name = text.substr(0, equals);
  const std::string number = text.substr(equals + 1);
  const double value = parse_real("-D " + name, number);
  PublicValue known = PublicValue::integer(value, "-D " + text);
  known.integers = value == static_cast<double>(static_cast<std::int64_t>(value));
  add_public_value(data, name, std::move(known));
}

}  // namespace

void ModelFlags::declare(CLI::App& app) {
  app.add_option("MODEL", model, "Stan program")->required();
  declare_schema(app);
  declare_public(app);
}

void ModelFlags::declare_schema(CLI::App& app) {
  app.add_option("--schema", schema, "public facts about the columns (TOML)");
}

void ModelFlags::declare_public(CLI::App& app) {
  app.add_option("--public", public_file, "public data values (Stan JSON)");
  app.add_option("-D", defines, "one public number, e.g. -D J=85 (repeatable)")
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--records", records, "name of the record count (default N)");
}

ModelInputs read_model_inputs(const ModelFlags& flags) {
  std::string text = read_whole_file(flags.model);
  CheckedProgram program = read_stan_program(flags.model, text, stan_functions());
  ModelInputs inputs{flags.model, std::move(text), {}, {}, std::move(program), {}, {}};
  if (!flags.schema.empty()) {
    inputs.schema_text = read_whole_file(flags.schema);
    inputs.schema = parse_schema(inputs.schema_text, flags.schema);
  }
  if (!flags.public_file.empty()) {
    inputs.public_data = public_data_of(read_stan_json(flags.public_file));
  }
  for (const std::string& define : flags.defines) add_define(inputs.public_data, define);
  inputs.record_count = record_count(inputs.schema, flags);
  return inputs;
}

std::string record_count(const Schema& schema, const ModelFlags& flags) {
  if (!schema.records.empty()) return schema.records;
  return flags.records.empty() ? "N" : flags.records;
}

Program read_program(const ModelFlags& flags) {
  ModelInputs inputs = read_model_inputs(flags);
  throw_if_errors(inputs.program.findings, inputs.program.source);
  Findings findings;
  DataBlock data = describe_data_block(inputs.program.program, inputs.record_count, findings);
  throw_if_errors(findings, inputs.program.source);
  return {std::move(inputs), std::move(data)};
}

std::string model_name(const std::string& file) {
  return std::filesystem::path(file).stem().string();
}

BindingRequest binding_request(const ModelInputs& inputs, const DataBlock& data) {
  BindingRequest request;
  request.variables = data_variables(data, inputs.file);
  request.schema = inputs.schema;
  request.public_data = inputs.public_data;
  request.record_count = inputs.record_count;
  return request;
}

}  // namespace dpvi::cli
