#include <memory>
#include <string>

#include <dpvi/base/error.hpp>
#include <dpvi/data/csv_reader.hpp>
#include <dpvi/data/json_records.hpp>
#include <dpvi/data/table_inspection.hpp>
#include <dpvi/data/text_columns.hpp>

#include "command.hpp"
#include "fit_data.hpp"
#include "inspect_output.hpp"

namespace dpvi::cli {
namespace {

InspectedTable inspect(ColumnSource& source, const Binding& binding) {
  TableInspector inspector(binding);
  while (const TypedBlock* block = source.next_block()) inspector.add(*block);
  return {binding, inspector.result()};
}

InspectedTable inspect_csv(CsvReader& csv, const Binding& binding) {
  TextColumns source(csv, column_request(binding, UnlistedTexts::kept));
  return inspect(source, binding);
}

InspectedTable inspect_json(JsonData file, const BindingRequest& request, const Binding& binding) {
  JsonColumns source(std::move(file), request, binding, UnlistedTexts::kept);
  return inspect(source, binding);
}

class InspectCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.description("Shows the curator what the cells of a private table hold. NOT FOR RELEASE.");
    app.add_option("DATA", data_, "records: CSV (also .gz, .zst) or Stan JSON")->required();
    app.add_option("--model", model_.model,
                   "Stan program whose columns, types and bounds apply too");
    model_.declare_schema(app);
    model_.declare_public(app);
    app.add_option("--public-names", public_names_, "variables of a JSON file that are public");
    declare_common(app);
    app.footer(
        "Examples:\n"
        "  dpvi inspect records.csv --schema schema.toml\n"
        "  dpvi inspect records.csv --schema schema.toml --model model.stan --json");
  }

  std::string run() override {
    if (model_.model.empty() && model_.schema.empty()) {
      throw UsageError(kContradiction, "--schema is missing.",
                       "Give --schema FILE, --model MODEL.stan or both: they define the columns.");
    }
    const InspectedTable table = model_.model.empty() ? by_schema() : by_program();
    return json ? inspection_json(data_, table) : inspection_text(data_, table);
  }

 private:
  InspectedTable by_schema() const {
    BindingRequest request;
    request.schema = read_schema(model_.schema);
    request.record_count = record_count(request.schema, model_);
    request.table_file = data_;
    if (is_json(data_)) {
      JsonData file = read_stan_json(data_);
      request.header = json_columns(file, request);
      const Binding binding = columns_of_schema(request);
      return inspect_json(std::move(file), request, binding);
    }
    CsvReader csv(data_);
    request.header = csv.header();
    return inspect_csv(csv, columns_of_schema(request));
  }

  InspectedTable by_program() const {
    const Program program = read_program(model_);
    BindingRequest request = binding_request(program.inputs, program.data);
    request.table_file = data_;
    if (is_json(data_)) {
      JsonData file = read_stan_json(data_);
      const JsonBinding bound = bind_json(file, request, name_list(public_names_));
      return inspect_json(std::move(file), bound.request, bound.binding);
    }
    CsvReader csv(data_);
    request.header = csv.header();
    return inspect_csv(csv, bind_columns(request));
  }

  ModelFlags model_;
  std::string data_, public_names_;
};

}  // namespace

std::unique_ptr<Command> make_inspect_command() { return std::make_unique<InspectCommand>(); }

}  // namespace dpvi::cli
