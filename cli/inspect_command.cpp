#include <memory>
#include <string>

#include <dpvi/api/inspected_table.hpp>
#include <dpvi/api/settings.hpp>
#include <dpvi/api/table_files.hpp>
#include <dpvi/base/error.hpp>

#include "command.hpp"
#include "fit_flags.hpp"
#include "inspect_output.hpp"
#include "model_flags.hpp"

namespace dpvi::cli {
namespace {

class InspectCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.description("Shows the curator what the cells of a private table hold. NOT FOR RELEASE.");
    app.add_option("DATA", data_, "records: CSV (also .gz, .zst) or Stan JSON");
    app.add_option("--model", model_.model,
                   "Stan program whose columns, types and bounds apply too");
    model_.declare_schema(app);
    model_.declare_public(app);
    app.add_option("--public-names", public_names_, setting("public-names").meaning);
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
    const std::string name = data_.empty() ? "tables" : data_;
    return json ? inspection_json(name, table) : inspection_text(name, table);
  }

 private:
  InspectedTable by_schema() const {
    const Schema schema = read_schema(model_.schema);
    if (data_.empty()) {
      throw UsageError(kContradiction, "DATA is missing.",
                       "Name a table. Tables with files of their own need --model too.");
    }
    return inspect_table(schema, record_count_name(schema, model_.records), table());
  }

  InspectedTable by_program() const {
    const Program program = read_program(model_.source());
    refuse_other_table(program.inputs().schema, data_);
    return inspect_table(program, table_of_files(program).value_or(table()));
  }

  TableFile table() const { return {data_, name_list(public_names_)}; }

  ModelFlags model_;
  std::string data_, public_names_;
};

}  // namespace

std::unique_ptr<Command> make_inspect_command() { return std::make_unique<InspectCommand>(); }

}  // namespace dpvi::cli
