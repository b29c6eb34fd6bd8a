#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include <dpvi/base/error.hpp>
#include <dpvi/data/header_line.hpp>
#include <dpvi/data/schema_draft.hpp>
#include <dpvi/fit/prepare/requested_facts.hpp>

#include "command.hpp"
#include "model_inputs.hpp"
#include "output_file.hpp"

namespace dpvi::cli {
namespace {

class SchemaCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.description(
        "Writes a draft schema to complete. Reads the program and the table's header line, no "
        "record.");
    app.add_option("MODEL", model_.model, "Stan program")->required();
    model_.declare_public(app);
    app.add_option("DATA", data_,
                   "CSV table; without it, columns have the names of the program's variables");
    app.add_flag("--names", names_,
                 "write all names of the header; declares that the first line is not a record");
    out_.declare(app, "TOML");
    declare_common(app);
    app.footer("Example:\n  dpvi schema model.stan records.csv --out schema.toml");
  }

  std::string run() override {
    if (data_.ends_with(".json")) {
      throw UsageError(
          kContradiction, "a schema is drafted from the header line of a CSV table.",
          "Leave DATA out: the columns of Stan JSON have the names of the program's variables.");
    }
    out_.check();
    const Program program = read_program(model_);
    BindingRequest request = binding_request(program.inputs, program.data);
    if (!data_.empty()) {
      request.table_file = data_;
      request.header = read_header_line(data_);
    }
    const SchemaDraft draft =
        draft_schema(request, requested_facts(program.inputs.program.program, program.data),
                     names_ ? HeaderNames::all : HeaderNames::bound);
    if (!json) return out_.written(draft.toml);
    nlohmann::ordered_json document = {
        {"ok", true}, {"missing", draft.missing}, {"schema", draft.toml}};
    if (out_.named()) {
      out_.written(draft.toml);
      document["out"] = out_.name();
    }
    return document.dump(2) + "\n";
  }

 private:
  ModelFlags model_;
  OutputFile out_;
  std::string data_;
  bool names_ = false;
};

}  // namespace

std::unique_ptr<Command> make_schema_command() { return std::make_unique<SchemaCommand>(); }

}  // namespace dpvi::cli
