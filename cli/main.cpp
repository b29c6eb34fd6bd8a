#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <map>
#include <new>
#include <string>
#include <vector>

#include <dpvi/base/error.hpp>
#include <dpvi/base/nearest_name.hpp>

#include "command.hpp"
#include "config_file.hpp"
#include "console.hpp"
#include "exit_codes.hpp"
#include "version.hpp"

namespace dpvi::cli {
namespace {

std::string suggestion(const std::string& typed, const std::vector<std::string>& known,
                       const std::string& otherwise) {
  const auto near = nearest_name(typed, known);
  return near ? fmt::format("Did you mean '{}'?", *near) : otherwise;
}

void refuse_unknown_verb(const std::vector<std::string>& words,
                         const std::vector<std::string>& verbs) {
  if (words.empty()) {
    throw UsageError(kContradiction, "no verb given.",
                     fmt::format("Verbs: {}. 'dpvi --help' explains.", fmt::join(verbs, ", ")));
  }
  const std::string& verb = words.front();
  if (verb.starts_with('-') || std::find(verbs.begin(), verbs.end(), verb) != verbs.end()) return;
  throw UsageError(kUnknownFlag, fmt::format("unknown verb '{}'.", verb),
                   suggestion(verb, verbs, fmt::format("Verbs: {}.", fmt::join(verbs, ", "))));
}

void refuse_unknown_words(const CLI::App& app) {
  const std::vector<std::string> extras = app.remaining();
  if (extras.empty()) return;
  std::vector<std::string> flags;
  for (const CLI::Option* option : app.get_options()) flags.push_back(option->get_name());
  const std::string typed = extras.front().substr(0, extras.front().find('='));
  throw UsageError(kUnknownFlag,
                   fmt::format("{}: unknown flag or argument '{}'.", app.get_name(), typed),
                   suggestion(typed, flags, fmt::format("See 'dpvi {} --help'.", app.get_name())));
}

// The help of a verb fits on a screen, so its headings have no empty lines above them.
std::string help_of(const CLI::App& app) {
  std::string text = app.help();
  for (const char* heading : {"\n\nPositionals:", "\n\nOptions:"}) {
    if (const std::size_t at = text.find(heading); at != std::string::npos) text.erase(at, 1);
  }
  return text;
}

// CLI11 reports help requests, version requests and syntax errors as exceptions.
std::string parse(CLI::App& app, std::vector<std::string> words) {
  try {
    std::reverse(words.begin(), words.end());
    app.parse(words);
    return {};
  } catch (const CLI::CallForHelp&) {
    return help_of(app);
  } catch (const CLI::CallForVersion&) {
    return version_text();
  } catch (const CLI::ParseError& error) {
    throw UsageError(kContradiction, fmt::format("{}.", error.what()),
                     "See 'dpvi --help' or 'dpvi VERB --help'.");
  }
}

// Runs the command and returns the exit code.
int run(const std::vector<std::string>& words) {
  CLI::App app{"dpvi: differentially private Bayesian inference, whose results may be published."};
  app.set_version_flag("--version", version_text);
  app.require_subcommand(0, 1);
  app.footer("Example: dpvi plan --epsilon 1 --delta 1e-6 --sampling-rate .01 --steps 10000");

  std::map<std::string, std::unique_ptr<Command>> commands;
  commands.emplace("budget", make_budget_command());
  commands.emplace("check", make_check_command());
  commands.emplace("fit", make_fit_command());
  commands.emplace("formula", make_formula_command());
  commands.emplace("inspect", make_inspect_command());
  commands.emplace("mock", make_mock_command());
  commands.emplace("plan", make_plan_command());
  commands.emplace("predict", make_predict_command());
  commands.emplace("report", make_report_command());
  commands.emplace("reproduce", make_reproduce_command());
  commands.emplace("schema", make_schema_command());
  commands.emplace("summary", make_summary_command());
  commands.emplace("synth", make_synth_command());
  commands.emplace("verify", make_verify_command());
  std::vector<std::string> verbs;
  for (auto& [name, command] : commands) {
    CLI::App* verb = app.add_subcommand(name);
    verb->allow_extras();
    command->declare(*verb);
    verbs.push_back(name);
  }

  refuse_unknown_verb(words, verbs);
  if (const std::string text = parse(app, words); !text.empty()) {
    write_result(text);
    return kExitOk;
  }
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) refuse_unknown_verb({}, verbs);
  CLI::App& verb = *chosen.front();
  refuse_unknown_words(verb);
  Command& command = *commands.at(verb.get_name());
  if (!command.config_file.empty()) apply_config_file(verb, command.config_file);
  write_result(command.run());
  return command.exit_code;
}

}  // namespace
}  // namespace dpvi::cli

int main(int argc, char** argv) {
  using namespace dpvi;
  using namespace dpvi::cli;
  // Exceeding the file size limit then fails the write, which cleans up, instead of ending the
  // process.
  std::signal(SIGXFSZ, SIG_IGN);
  prepare_streams();
  const std::vector<std::string> words(argv + 1, argv + argc);
  const bool json = std::find(words.begin(), words.end(), "--json") != words.end();
  try {
    return run(words);
  } catch (const Error& error) {
    return report_failure(error, json);
  } catch (const std::bad_alloc&) {
    return report_failure(InternalError(kInternal, "out of memory.",
                                        "Reduce the problem, or use a machine with more memory."),
                          json);
  } catch (const std::exception& error) {
    return report_failure(
        InternalError(kInternal, fmt::format("unexpected: {}.", error.what()),
                      "This is a bug in dpvi; please report it with the command."),
        json);
  }
}
