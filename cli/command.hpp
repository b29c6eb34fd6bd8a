#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "exit_codes.hpp"

namespace dpvi::cli {

// One verb of the program. Its flags are declared on a CLI11 subcommand. run() returns the text for
// standard output; main writes it only after run() has succeeded.
class Command {
 public:
  virtual ~Command() = default;
  virtual void declare(CLI::App& app) = 0;
  virtual std::string run() = 0;

  bool json = false;
  bool quiet = false;
  std::string config_file;
  int exit_code = kExitOk;  // run() changes it if the result itself is a refusal

 protected:
  // Declares the flags common to all verbs.
  void declare_common(CLI::App& app) {
    app.add_flag("--json", json, "print one JSON document to stdout");
    app.add_flag("--quiet", quiet, "print nothing but errors to stderr");
    app.add_option("--config", config_file, "TOML file with flag names as keys; flags override it");
  }
};

std::unique_ptr<Command> make_audit_command();
std::unique_ptr<Command> make_budget_command();
std::unique_ptr<Command> make_check_command();
std::unique_ptr<Command> make_fit_command();
std::unique_ptr<Command> make_formula_command();
std::unique_ptr<Command> make_inspect_command();
std::unique_ptr<Command> make_mock_command();
std::unique_ptr<Command> make_pack_command();
std::unique_ptr<Command> make_plan_command();
std::unique_ptr<Command> make_predict_command();
std::unique_ptr<Command> make_report_command();
std::unique_ptr<Command> make_reproduce_command();
std::unique_ptr<Command> make_schema_command();
std::unique_ptr<Command> make_simulate_command();
std::unique_ptr<Command> make_start_command();
std::unique_ptr<Command> make_summary_command();
std::unique_ptr<Command> make_synth_command();
std::unique_ptr<Command> make_verify_command();

}  // namespace dpvi::cli
