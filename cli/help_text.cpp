#include "help_text.hpp"

#include <cstddef>
#include <string_view>

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
     " --at --checkpoint --config --covariates --html --ledger --model --public --schema "
     "--settings DATA "
     "LEDGER MODEL NEW "},
    {"FOLDER", " --experiments BUNDLE "},
    {"PATH", " --data --out "},
    {"NAME",
     " --accountant --adjacency --average --clip --clip-centre --family --filter --format "
     "--gradient --likelihood --optimizer --outcome --posterior --quantity --records --schedule "
     "--score --unit "},
};

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

std::string help_of(const CLI::App& app) {
  std::string text = app.help();
  for (const char* heading : {"\n\nPositionals:", "\n\nOptions:"}) {
    if (const std::size_t at = text.find(heading); at != std::string::npos) text.erase(at, 1);
  }
  return text;
}

}  // namespace dpvi::cli
