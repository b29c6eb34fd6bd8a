#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include <dpvi/api/formula_program.hpp>
#include <dpvi/fit/formula/likelihood_name.hpp>

#include "command.hpp"

namespace dpvi::cli {
namespace {

class FormulaCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.description(
        "Writes a regression as a Stan program that you can read, change and fit. Reads no data.\n"
        "  y ~ a + b       main effects         y ~ a * b    a + b + a:b, their product\n"
        "  y ~ 0 + a       no intercept         (1 | g)      an intercept for each group\n"
        "  (1 + a | g)     slopes by group      k | trials(n) ~ a    with binomial");
    app.add_option("FORMULA", formula_, "response ~ predictors, by column name")->required();
    app.add_option("--likelihood", likelihood_,
                   fmt::format("one of {} (default from the declared type of the response)",
                               fmt::join(kLikelihoods, ", ")));
    app.add_option("--schema", schema_, "TOML file with the public facts of the columns")
        ->required();
    declare_common(app);
    app.footer(
        "Example:\n"
        "  dpvi formula \"died ~ age + sofa + (1 | hospital)\" --likelihood bernoulli "
        "--schema schema.toml > model.stan");
  }

  std::string run() override {
    const std::string program =
        formula_program_inputs({formula_, likelihood_}, {.schema_file = schema_}).text;
    if (!json) return program;
    return nlohmann::ordered_json{{"ok", true}, {"program", program}}.dump(2) + "\n";
  }

 private:
  std::string formula_, likelihood_, schema_;
};

}  // namespace

std::unique_ptr<Command> make_formula_command() { return std::make_unique<FormulaCommand>(); }

}  // namespace dpvi::cli
