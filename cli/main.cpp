#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <map>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <dpvi/base/error.hpp>
#include <dpvi/base/nearest_name.hpp>
#include <dpvi/base/open_file.hpp>
#include <dpvi/random/key_memory.hpp>

#include "command.hpp"
#include "config_file.hpp"
#include "console.hpp"
#include "exit_codes.hpp"
#include "help_text.hpp"
#include "version.hpp"

namespace dpvi::cli {
namespace {

// A beginning of a name counts as that name: '--eps'.
std::optional<std::string> name_meant(const std::string& typed,
                                      const std::vector<std::string>& known) {
  constexpr std::size_t kShortest = 3;
  const auto begins = [&](const std::string& name) { return name.starts_with(typed); };
  if (typed.size() >= kShortest && std::ranges::count_if(known, begins) == 1) {
    return *std::ranges::find_if(known, begins);
  }
  return nearest_name(typed, known);
}

std::string suggestion(const std::string& typed, const std::vector<std::string>& known,
                       const std::string& otherwise) {
  const auto near = name_meant(typed, known);
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

// CLI11 reports help requests, version requests and syntax errors as exceptions.
std::string parse(CLI::App& app, std::vector<std::string> words) {
  try {
    std::reverse(words.begin(), words.end());
    app.parse(words);
    return {};
  } catch (const CLI::CallForHelp&) {
    return help_of(app, HelpPart::usual);
  } catch (const CLI::CallForAllHelp&) {
    return help_of(app, HelpPart::all);
  } catch (const CLI::CallForVersion&) {
    return version_text();
  } catch (const CLI::ParseError& error) {
    throw UsageError(kContradiction, fmt::format("{}.", error.what()),
                     "See 'dpvi --help' or 'dpvi VERB --help'.");
  }
}

// 'dpvi help' and 'dpvi help VERB' ask for help, and '-' for standard input.
std::vector<std::string> usual_words(std::vector<std::string> words) {
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.resize(std::min<std::size_t>(words.size(), 1));
    words.emplace_back("--help");
  }
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool is_output = words[i - 1] == "--out" || words[i - 1] == "--html";
    if (words[i] == "-" && !is_output) words[i] = "/dev/stdin";
  }
  return words;
}

// Must come before any use of OpenSSL. The user may want a core dump to find a mistake; it holds no
// keys, but it may hold records.
void protect_keys() {
  keep_keys_in_key_memory();
  if (std::getenv("DPVI_CORE_DUMPS") == nullptr) forbid_core_dumps();
}

// Runs the command and returns the exit code.
int run(const std::vector<std::string>& words) {
  CLI::App app{"dpvi: differentially private Bayesian inference, whose results may be published.",
               "dpvi"};
  app.set_version_flag("--version", version_text);
  app.require_subcommand(0, 1);
  app.footer(
      "Example: dpvi start table.csv --outcome died --out study\n"
      "'dpvi VERB --help' explains a verb.");

  std::map<std::string, std::unique_ptr<Command>> commands;
  commands.emplace("audit", make_audit_command());
  commands.emplace("budget", make_budget_command());
  commands.emplace("check", make_check_command());
  commands.emplace("fit", make_fit_command());
  commands.emplace("formula", make_formula_command());
  commands.emplace("inspect", make_inspect_command());
  commands.emplace("mock", make_mock_command());
  commands.emplace("pack", make_pack_command());
  commands.emplace("plan", make_plan_command());
  commands.emplace("predict", make_predict_command());
  commands.emplace("report", make_report_command());
  commands.emplace("reproduce", make_reproduce_command());
  commands.emplace("schema", make_schema_command());
  commands.emplace("simulate", make_simulate_command());
  commands.emplace("start", make_start_command());
  commands.emplace("summary", make_summary_command());
  commands.emplace("synth", make_synth_command());
  commands.emplace("verify", make_verify_command());
  std::vector<std::string> verbs;
  for (auto& [name, command] : commands) {
    CLI::App* verb = app.add_subcommand(name);
    verb->allow_extras();
    command->declare(*verb);
    name_value_kinds(*verb);
    shorten_help(*verb);
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

// Some destructors of the JSON library allocate. If they get no memory, the process ends here, with
// the exit code of every other lack of memory. A temporary folder may stay; the next run removes
// it.
[[noreturn]] void end_without_memory() {
  constexpr std::string_view kMessage =
      "error[DP902] out of memory. Reduce the problem, or use a machine with more memory.\n";
  static_cast<void>(write_fully(STDERR_FILENO, kMessage));
  ::_exit(exit_code(ErrorKind::internal));
}

}  // namespace
}  // namespace dpvi::cli

int main(int argc, char** argv) {
  using namespace dpvi;
  using namespace dpvi::cli;
  // Exceeding the file size limit then fails the write, which cleans up, instead of ending the
  // process.
  std::signal(SIGXFSZ, SIG_IGN);
  std::set_terminate(end_without_memory);
  protect_keys();
  prepare_streams();
  const bool json = std::find(argv + 1, argv + argc, std::string_view("--json")) != argv + argc;
  try {
    return run(usual_words({argv + 1, argv + argc}));
  } catch (const Error& error) {
    return report_failure(error, json);
  } catch (const std::bad_alloc&) {
    return report_failure(InternalError(kInternal, "out of memory.",
                                        "Reduce the problem, or use a machine with more memory."),
                          json);
  } catch (const std::filesystem::filesystem_error& error) {
    return report_failure(
        MissingInputError(
            kFileMissing,
            fmt::format("'{}' cannot be read: {}.", error.path1().string(), error.code().message()),
            "Check the disk, the path and its permissions."),
        json);
  } catch (const std::system_error& error) {
    return report_failure(
        InternalError(kInternal,
                      fmt::format("the system refuses a request: {}.", error.code().message()),
                      "Check the limits of this user; --threads 1 needs least."),
        json);
  } catch (const std::exception& error) {
    return report_failure(
        InternalError(kInternal, fmt::format("unexpected: {}.", error.what()),
                      "This is a bug in dpvi; please report it with the command."),
        json);
  }
}
