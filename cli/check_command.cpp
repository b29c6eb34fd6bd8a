#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include <dpvi/api/table_files.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/data/stan_json.hpp>
#include <dpvi/fit/check/model_check.hpp>
#include <dpvi/fit/check/point_densities.hpp>
#include <dpvi/fit/prepare/persons.hpp>
#include <dpvi/fit/prepare/program_data.hpp>
#include <dpvi/fit/prepare/public_records.hpp>

#include "check_output.hpp"
#include "command.hpp"
#include "console.hpp"
#include "model_flags.hpp"

namespace dpvi::cli {
namespace {

class CheckCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.description(
        "Reports which data a Stan program needs and whether it can be fitted. Reads no private "
        "data.");
    model_.declare(app);
    app.add_option("--data", data_,
                   "Stan JSON with public records, to be checked against the program");
    app.add_option("--at", points_,
                   "JSON list of unconstrained vectors at which to print the densities");
    declare_common(app);
    app.footer(
        "Examples:\n"
        "  dpvi check model.stan -D K=3\n"
        "  dpvi check model.stan --data fake.json --at points.json --json");
  }

  std::string run() override;

 private:
  // Adds the public values, facts and records of the data file. Everything in the file is public.
  void add_data(const ProgramInputs& inputs, const JsonData& file, CheckRequest& request) const;
  std::string evaluated(ModelCheck& check, const ProgramInputs& inputs, const JsonData& file) const;
  void refuse_missing(ModelCheck& check) const;
  CheckWords words(const ModelCheck& check) const;
  void note_record_count(const ProgramInputs& inputs, ModelCheck& check) const;

  ModelFlags model_;
  std::string data_, points_;
};

void CheckCommand::add_data(const ProgramInputs& inputs, const JsonData& file,
                            CheckRequest& request) const {
  if (inputs.program.findings.has_errors()) return;
  Findings ignored;  // the check itself reports the same findings
  DataBlock block = describe_data_block(inputs.program.program,
                                        record_counts(inputs.schema, inputs.record_count), ignored);
  join_declared_units(inputs.program.program, inputs.schema, block, ignored);
  take_public_values(file, block, request.public_data);
  request.observed = observed_facts(file, block);
  request.records = observed_records(file, block);
}

void CheckCommand::refuse_missing(ModelCheck& check) const {
  for (const PublicDataSummary& wanted : check.public_data) {
    if (!wanted.value.empty()) continue;
    check.add(InputError(kMissingVariable,
                         fmt::format("'{}' ({}) is not in the data.", wanted.name, wanted.type),
                         "Add it to the file.", {data_, 0, 0}));
  }
}

// Checks the records against the program. Returns the densities as JSON if points are given.
std::string CheckCommand::evaluated(ModelCheck& check, const ProgramInputs& inputs,
                                    const JsonData& file) const {
  if (check.ok()) refuse_missing(check);
  if (!check.ok() || !check.model) return {};
  try {
    PublicRecords records =
        read_public_records(file, check.model->stan(), check.data, check.record_count, data_);
    if (points_.empty()) return {};
    const Points points = read_points(points_, check.model->dimension());
    const FailingStatement failing(inputs.program, check.data, check.options);
    PointEvaluator evaluator(*check.model, std::move(records), failing);
    return points_json(points, evaluator);
  } catch (const InputError& error) {
    check.add(error);
    return {};
  }
}

// Says which int was taken as the record count if nobody named it.
void CheckCommand::note_record_count(const ProgramInputs& inputs, ModelCheck& check) const {
  const bool named =
      !model_.records.empty() || !inputs.schema.records.empty() || !inputs.schema.tables.empty();
  if (named || inputs.record_count == record_count_name({}, "")) return;
  check.add(InputError(kModelRecords,
                       fmt::format("{} is taken as the record count: no other int is the first "
                                   "size of data.",
                                   inputs.record_count),
                       "--records NAME, or records under [model] in the schema, names another.",
                       {check.file, 0, 0}),
            Severity::note);
}

CheckWords CheckCommand::words(const ModelCheck& check) const {
  CheckWords made;
  if (!model_.schema.empty()) made.flags += " --schema " + model_.schema;
  if (!model_.public_file.empty()) made.flags += " --public " + model_.public_file;
  if (!model_.records.empty()) made.flags += " --records " + model_.records;
  for (const std::string& table : model_.tables) made.flags += " --table " + table;
  for (const std::string& define : model_.defines) made.flags += " -D " + define;
  if (!data_.empty() && check.ok()) {
    made.data_note = fmt::format("The records in {} have the declared shapes.", data_);
  }
  return made;
}

std::string CheckCommand::run() {
  if (!points_.empty() && data_.empty()) {
    throw UsageError(kContradiction, "--at needs --data.",
                     "Densities are computed for records. Give a file of public records.");
  }
  const ProgramInputs inputs = read_program_inputs(model_.source());
  CheckRequest request{inputs.program, inputs.record_count, inputs.schema, inputs.public_data};
  std::optional<JsonData> file;
  if (!data_.empty()) {
    file = read_stan_json(data_);
    add_data(inputs, *file, request);
  }
  ModelCheck check = check_model(request);
  note_record_count(inputs, check);
  const std::string points = file ? evaluated(check, inputs, *file) : std::string();
  if (!check.ok()) exit_code = dpvi::cli::exit_code(ErrorKind::bad_input);
  show_message(findings_text(check, inputs.program.source, quiet));
  if (json || !points_.empty()) return check_json(check, points);
  if (check.parameters.empty()) return {};
  CheckWords said = words(check);
  said.unit = inputs.schema.unit;
  said.tables_have_files = !paths_of_tables(inputs.schema).empty();
  return check_text(check, said);
}

}  // namespace

std::unique_ptr<Command> make_check_command() { return std::make_unique<CheckCommand>(); }

}  // namespace dpvi::cli
