#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include <dpvi/api/mock_table.hpp>
#include <dpvi/api/table_files.hpp>
#include <dpvi/base/error.hpp>

#include "command.hpp"
#include "console.hpp"
#include "model_flags.hpp"
#include "numbers.hpp"
#include "output_file.hpp"

namespace dpvi::cli {
namespace {

std::string note(const MockTable& made) {
  std::string text = "Mock records from the program and public facts; no record was read.\n";
  for (const std::string& variable : made.by_model) {
    text += fmt::format("{} is drawn from the model block at one draw from the prior.\n", variable);
  }
  for (const Replicate& replicate : made.drawn) {
    text += fmt::format("{} is drawn by the program ({}) at one draw from its prior.\n",
                        replicate.variable, replicate.quantity);
  }
  if (made.unit) {
    text += fmt::format("Units in {} have 1 to {} rows, which are independent too.\n",
                        made.unit->name, made.unit->max_rows);
  }
  return text + (made.drawn.empty() && made.by_model.empty()
                     ? "The program cannot draw its data: its model block gives no column a "
                       "distribution, and\nno quantity such as y_rep uses an _rng function.\n"
                       "All columns are independent, within their declarations.\n"
                     : "All other columns are independent, within their declarations.\n");
}

class MockCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.description(
        "Writes a table of mock records that match program and schema, to try everything without "
        "the private file.");
    model_.declare(app);
    app.add_option("--rows", rows_, "number of rows");
    app.add_option("--seed", seed_, "random seed (default 1)");
    out_.declare(app, "CSV");
    declare_common(app);
    app.footer("Example:\n  dpvi mock model.stan --schema schema.toml --rows 1000 --out mock.csv");
  }

  std::string run() override {
    if (rows_.empty()) {
      throw UsageError(kContradiction, "--rows is missing.", "Give the number of mock rows.");
    }
    constexpr std::int64_t kMaxRows = 10'000'000;
    const auto rows = static_cast<std::size_t>(parse_whole_in("--rows", rows_, 0, kMaxRows));
    const auto seed = static_cast<std::uint64_t>(parse_whole_in("--seed", seed_, 0, INT64_MAX));
    out_.check();
    const Program program = read_program(model_.source());
    if (!paths_of_tables(program.inputs().schema).empty()) {
      throw UsageError(kContradiction,
                       "mock writes one file, and each table has a file of its own.",
                       "Choose the rows of one file by where in the schema.");
    }
    const MockTable made = make_mock_table(program, rows, seed);
    if (!quiet) show_message(note(made));
    if (!json) return out_.written(made.csv);
    nlohmann::ordered_json document = {{"ok", true}, {"rows", rows}, {"seed", seed}};
    document["drawn"] = nlohmann::ordered_json::object();
    for (const std::string& variable : made.by_model) document["drawn"][variable] = "model";
    for (const Replicate& replicate : made.drawn) {
      document["drawn"][replicate.variable] = replicate.quantity;
    }
    if (out_.named()) {
      out_.written(made.csv);
      document["out"] = out_.name();
    } else {
      document["csv"] = made.csv;
    }
    return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  }

 private:
  ModelFlags model_;
  OutputFile out_;
  std::string rows_, seed_ = "1";
};

}  // namespace

std::unique_ptr<Command> make_mock_command() { return std::make_unique<MockCommand>(); }

}  // namespace dpvi::cli
