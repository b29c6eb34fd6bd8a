#include "help_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string_view>
#include <vector>

namespace dpvi::cli {
namespace {

struct ValueKind {
  std::string_view kind;
  std::string_view names;  // between blanks
};

constexpr ValueKind kValueKinds[] = {
    {"NUMBER",
     " --checkpoint-seconds --datasets --delta --draws --epsilon --initial-scale --learning-rate "
     "--minutes --noise-multiplier --rank --rows --runs --sampling-rate --seconds --seed --steps "
     "--tables --threads "},
    {"FILE",
     " --at --checkpoint --config --covariates --html --ledger --model --program --public --schema "
     "--settings DATA LEDGER MODEL NEW TABLE "},
    {"FOLDER", " --experiments BUNDLE "},
    {"PATH", " --data --out "},
    {"NAME",
     " --accountant --adjacency --average --clip --clip-centre --family --filter --format "
     "--gradient --likelihood --optimizer --outcome --posterior --quantity --records --schedule "
     "--score --unit "},
};

constexpr std::size_t kWidth = 80;
constexpr std::size_t kIndent = 30;  // of descriptions
constexpr std::size_t kLongestHelp = 24;
constexpr const char* kRareFlags = "Further options";
constexpr std::string_view kUsualFlags =
    " --help --help-all --schema --out --ledger --epsilon --delta --rows --one-row-per-person "
    "--dry-run --non-private --json --quiet --config --steps --public -D ";

// Continues long lines at the column of the descriptions.
std::string wrapped(const std::string& text) {
  std::istringstream lines(text);
  std::string result, line;
  bool example = false;
  while (std::getline(lines, line)) {
    example = example || line.starts_with("Example");
    const std::size_t indent = line.starts_with("  ") ? kIndent : 0;
    while (!example && line.size() > kWidth) {
      const std::size_t at = line.rfind(' ', kWidth);
      if (at == std::string::npos || at <= indent) break;
      result += line.substr(0, at) + "\n";
      line = std::string(indent, ' ') + line.substr(at + 1);
    }
    result += line + "\n";
  }
  return result;
}

// What a verb does, in a phrase.
std::string summary_of(const CLI::App& verb) {
  constexpr std::size_t kLongest = 66;
  const std::string& whole = verb.get_description();
  std::string phrase = whole.substr(0, std::min(whole.find_first_of(".:;\n"), whole.size()));
  if (phrase.size() > kLongest) phrase.resize(std::min(phrase.find(','), phrase.size()));
  return phrase;
}

// CLI11 would print all descriptions of the verbs in full.
std::string program_help(const CLI::App& app) {
  std::string text = app.get_description() + "\nUsage: dpvi [OPTIONS] [SUBCOMMAND]\nOptions:\n";
  text += "  -h,--help     Print this help message and exit\n";
  text += "  --version     Display program version information and exit\n";
  text += "\nSubcommands:\n";
  const auto all = [](const CLI::App*) { return true; };
  for (const CLI::App* verb : app.get_subcommands(all)) {
    text += fmt::format("  {:<11} {}\n", verb->get_name(), summary_of(*verb));
  }
  return text + "\n" + app.get_footer() + "\n";
}

// Replaces the section of rare flags by the way to see it.
void leave_out_rare_flags(std::string& text, const std::string& verb) {
  const std::size_t from = text.find(std::string(kRareFlags) + ":");
  if (from == std::string::npos) return;
  std::size_t to = text.find("\n\n", from);
  if (to == std::string::npos) to = text.size();
  const std::string section = text.substr(from, to - from);
  const auto flags = std::ranges::count(section, '\n');
  text.replace(from, to - from, fmt::format("{} further flags: dpvi {} --help-all", flags, verb));
}

}  // namespace

void name_value_kinds(CLI::App& verb) {
  for (CLI::Option* option : verb.get_options()) {
    if (option->get_type_name() != "TEXT") continue;  // flags take no value
    const std::string name = " " + option->get_name() + " ";
    for (const ValueKind& kind : kValueKinds) {
      if (kind.names.find(name) != std::string_view::npos) {
        option->type_name(std::string(kind.kind));
      }
    }
  }
}

void shorten_help(CLI::App& verb) {
  verb.set_help_all_flag("--help-all", "print all flags");
  if (verb.get_options().size() <= kLongestHelp) return;
  for (CLI::Option* option : verb.get_options()) {
    const std::string name = " " + option->get_name() + " ";
    const bool usual = option->get_positional() || kUsualFlags.find(name) != std::string_view::npos;
    if (!usual) option->group(kRareFlags);
  }
}

std::string help_of(const CLI::App& app, HelpPart part) {
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) return program_help(app);
  std::string text = app.help();
  for (const char* heading : {"\n\nPositionals:", "\n\nOptions:", "\n\nFurther options:"}) {
    if (const std::size_t at = text.find(heading); at != std::string::npos) text.erase(at, 1);
  }
  if (const std::size_t at = text.find("\n\n\n"); at != std::string::npos) text.erase(at, 1);
  if (part == HelpPart::usual) leave_out_rare_flags(text, chosen.front()->get_name());
  return wrapped(text);
}

}  // namespace dpvi::cli
