#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/api/start_files.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/report/atomic_folder.hpp>

#include "command.hpp"
#include "next_script.hpp"
#include "numbers.hpp"

namespace dpvi::cli {
namespace {

class StartCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.description(
        "Begins an analysis: writes a schema to complete, the program of a formula, and next.sh "
        "with the further commands. Reads the header line of the table, no record.");
    app.add_option("TABLE", request_.table, "CSV table (also .gz, .zst)")->required();
    app.add_option("--outcome", request_.outcome,
                   "column to explain; without --formula, all columns that may be predictors by "
                   "their names explain it");
    app.add_option("--formula", request_.formula,
                   "response ~ predictors; see 'dpvi formula --help'");
    app.add_option("--likelihood", request_.likelihood,
                   "of the formula (default from the declared type of the response)");
    app.add_option("--model", request_.model, "Stan program, in place of a formula");
    app.add_option("--unit", request_.unit, "column of ids, if a person can have several rows");
    app.add_option("--rows", rows_, "approximate number of rows, as far as it is public");
    app.add_option("--out", out_, "folder to write")->required();
    declare_common(app);
    app.footer(
        "Example:\n"
        "  dpvi start stays.csv --formula \"died ~ age + sofa\" --likelihood bernoulli --out "
        "stays\n"
        "then complete stays/schema.toml and run 'sh stays/next.sh'.");
  }

  std::string run() override;

 private:
  std::string shown(const StartFiles& files) const;
  NextSteps next_steps(const StartFiles& files) const;

  StartRequest request_;
  std::optional<std::string> rows_;
  std::string out_;
};

std::string absolute(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

NextSteps StartCommand::next_steps(const StartFiles& files) const {
  std::error_code ignored;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  return {.program = ignored ? "dpvi" : self.string(),
          .table = absolute(request_.table),
          .model = request_.model.empty() ? "" : absolute(request_.model),
          .formula = files.formula,
          .likelihood = request_.likelihood,
          .asks_for_unit = files.asks_for_unit};
}

std::string StartCommand::shown(const StartFiles& files) const {
  if (json) {
    nlohmann::ordered_json document = {{"ok", true}, {"out", out_}, {"missing", files.missing}};
    if (!files.formula.empty()) {
      document["formula"] = files.formula;
      document["left_out"] = files.left_out;
    }
    return document.dump(2) + "\n";
  }
  std::string text;
  if (!files.formula.empty()) text += fmt::format("Formula: {}\n", files.formula);
  if (!files.left_out.empty()) {
    text += fmt::format("Left out because of their names: {}\n", fmt::join(files.left_out, ", "));
  }
  text += fmt::format("Written: {0}/schema.toml{1}, {0}/next.sh\n", out_,
                      files.program.empty() ? "" : fmt::format(", {}/model.stan", out_));
  text += fmt::format("Next: complete {} line{} of {}/schema.toml, then sh {}/next.sh\n",
                      files.missing.size(), files.missing.size() == 1 ? "" : "s", out_, out_);
  return text;
}

std::string StartCommand::run() {
  if (request_.table.ends_with(".json") || request_.table == "/dev/stdin") {
    throw UsageError(kContradiction, "a start needs a CSV file with a header line.",
                     "For Stan JSON, 'dpvi schema MODEL' drafts a schema.");
  }
  check_can_create(out_);
  if (rows_) request_.rows = parse_whole("--rows", *rows_);
  const StartFiles files = draft_start(request_);
  std::vector<FolderFile> folder = {{"schema.toml", files.schema},
                                    {"next.sh", next_script(next_steps(files))}};
  if (!files.program.empty()) folder.push_back({"model.stan", files.program});
  write_folder(out_, folder);
  return shown(files);
}

}  // namespace

std::unique_ptr<Command> make_start_command() { return std::make_unique<StartCommand>(); }

}  // namespace dpvi::cli
