#include <dpvi/api/program.hpp>

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include <dpvi/data/json_records.hpp>
#include <dpvi/data/text_file.hpp>
#include <dpvi/fit/prepare/persons.hpp>
#include <dpvi/fit/prepare/program_data.hpp>
#include <dpvi/model/stan_functions.hpp>

namespace dpvi {
namespace {

std::string text_or_file(const std::optional<std::string>& text, const std::string& file) {
  return text ? *text : read_whole_file(file);
}

void declare_one_row_per_person(Schema& schema) {
  if (schema.unit) {
    throw UsageError(kContradiction,
                     "--one-row-per-person contradicts the schema, which names a unit.",
                     "Leave out one of them.");
  }
  schema.one_row_per_person = true;
}

CountedTable counted_table(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw UsageError(kValueOutsideRule,
                     fmt::format("--table is '{}'; it must be COUNT=FILE.", text),
                     "For example --table N_obs=a.csv --table N_cens=b.csv.");
  }
  return {text.substr(0, equals), text.substr(equals + 1), {}, {}, {}};
}

void add_tables(const ProgramSource& source, Schema& schema) {
  if (source.tables.empty()) return;
  if (!schema.tables.empty()) {
    throw UsageError(kContradiction, "--table contradicts the schema, which has tables.",
                     "Leave out one of them.");
  }
  for (const std::string& text : source.tables) {
    schema.tables.push_back(counted_table(text));
    for (std::size_t i = 0; i + 1 < schema.tables.size(); ++i) {
      const CountedTable& last = schema.tables.back();
      if (schema.tables[i].count != last.count && schema.tables[i].file != last.file) continue;
      throw UsageError(kContradiction,
                       fmt::format("--table names {} twice.",
                                   schema.tables[i].count == last.count ? last.count : last.file),
                       "Each record count has a file of its own.");
    }
  }
  if (schema.tables.size() > 1) return;
  throw UsageError(kContradiction, "one --table is given.",
                   "Give one for each record count; a program with one table takes DATA.");
}

void refuse_record_count_beside_tables(const ProgramSource& source) {
  if (source.record_count.empty()) return;
  throw UsageError(kContradiction, "--records and several tables contradict each other.",
                   "Leave out --records: each table is named after its record count.");
}

}  // namespace

PublicValue public_number(double value, std::string source) {
  PublicValue number = PublicValue::integer(value, std::move(source));
  number.integers = value == static_cast<double>(static_cast<std::int64_t>(value));
  return number;
}

ProgramInputs read_program_inputs(const ProgramSource& source) {
  std::string text = text_or_file(source.model_text, source.model_file);
  CheckedProgram program = read_stan_program(source.model_file, text, stan_functions());
  ProgramInputs inputs{source.model_file, std::move(text), {}, {}, std::move(program), {}, {}};
  if (source.schema_text || !source.schema_file.empty()) {
    inputs.schema_text = text_or_file(source.schema_text, source.schema_file);
    inputs.schema = parse_schema(inputs.schema_text, source.schema_file);
  }
  if (!source.public_file.empty()) {
    inputs.public_data = public_data_of(read_stan_json(source.public_file));
  }
  for (const auto& [name, value] : source.public_data) {
    add_public_value(inputs.public_data, name, value);
  }
  if (source.one_row_per_person) declare_one_row_per_person(inputs.schema);
  if (!source.title.empty()) inputs.schema.study.title = source.title;
  inputs.record_count = record_count_name(inputs.schema, source.record_count);
  // If nobody names the record count, the only possible one is taken.
  add_tables(source, inputs.schema);
  if (!inputs.schema.tables.empty()) {
    refuse_record_count_beside_tables(source);
    inputs.record_count = inputs.schema.tables.front().count;
    return inputs;
  }
  const bool named = !inputs.schema.records.empty() || !source.record_count.empty();
  if (!named && !inputs.program.findings.has_errors()) {
    const auto only = other_record_count(inputs.program.program, inputs.record_count);
    if (only) inputs.record_count = *only;
  }
  return inputs;
}

std::string record_count_name(const Schema& schema, const std::string& otherwise) {
  if (!schema.records.empty()) return schema.records;
  return otherwise.empty() ? "N" : otherwise;
}

Program::Program(ProgramInputs inputs) {
  auto parts = std::make_shared<Parts>(Parts{std::move(inputs), {}});
  const CheckedProgram& checked = parts->inputs.program;
  throw_if_errors(checked.findings, checked.source);
  Findings findings;
  parts->data = describe_data_block(
      checked.program, record_counts(parts->inputs.schema, parts->inputs.record_count), findings);
  join_declared_units(checked.program, parts->inputs.schema, parts->data, findings);
  throw_if_errors(findings, checked.source);
  parts_ = std::move(parts);
}

std::string Program::name() const { return std::filesystem::path(inputs().file).stem().string(); }

BindingRequest Program::binding_request() const {
  BindingRequest request;
  request.variables = data_variables(data(), inputs().file);
  request.schema = inputs().schema;
  request.public_data = inputs().public_data;
  request.record_count = inputs().record_count;
  leave_out_unit_variables(data(), request);
  return request;
}

Program read_program(const ProgramSource& source) { return Program(read_program_inputs(source)); }

}  // namespace dpvi
