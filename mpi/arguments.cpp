#include "arguments.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <dpvi/api/setting_texts.hpp>
#include <dpvi/base/error.hpp>

namespace dpvi::mpi {
namespace {

// Flags and positional words by name.
struct Words {
  std::map<std::string, std::string, std::less<>> flags;
  std::vector<std::string> positional, phases;

  std::string take(std::string_view name) {
    const auto found = flags.find(name);
    if (found == flags.end()) return {};
    std::string text = std::move(found->second);
    flags.erase(found);
    return text;
  }
};

bool is_switch(std::string_view name) {
  return name == "one-row-per-person" || name == "quiet" || name == "inspect-first" ||
         name == "non-private";
}

Words words_of(const std::vector<std::string>& words) {
  Words found;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with("--")) {
      found.positional.push_back(words[i]);
      continue;
    }
    const std::size_t equals = words[i].find('=');
    const std::string name = words[i].substr(2, equals == std::string::npos ? equals : equals - 2);
    std::string text = "true";
    if (equals != std::string::npos) {
      text = words[i].substr(equals + 1);
    } else if (!is_switch(name)) {
      if (++i == words.size()) {
        throw UsageError(kContradiction, fmt::format("--{} has no value.", name),
                         "See 'dpvi-mpi --help'.");
      }
      text = words[i];
    }
    if (name == "phase") {
      found.phases.push_back(text);
    } else if (!found.flags.emplace(name, text).second) {
      throw UsageError(kContradiction, fmt::format("--{} is given twice.", name), "Give it once.");
    }
  }
  return found;
}

// Puts the rank in the place of {rank}. Returns false if the name has no such place.
bool put_rank(std::string& name, int rank) {
  constexpr std::string_view kPlace = "{rank}";
  const std::size_t place = name.find(kPlace);
  if (place == std::string::npos) return false;
  name.replace(place, kPlace.size(), std::to_string(rank));
  return true;
}

std::optional<LedgerChoice> ledger_choice(Words& words, const std::string& table, bool own_part) {
  LedgerChoice choice{.file = words.take("ledger"),
                      .data_version = words.take("data-version"),
                      .checkpoint = words.take("checkpoint")};
  if (const std::string seconds = words.take("checkpoint-seconds"); !seconds.empty()) {
    choice.checkpoint_seconds = std::strtod(seconds.c_str(), nullptr);
  }
  if (choice.file == "none") return std::nullopt;
  if (choice.file.empty() && !own_part) choice.file = ledger_beside(table).value_or("");
  if (!choice.file.empty()) return choice;
  if (choice.data_version.empty() && choice.checkpoint.empty()) return std::nullopt;
  throw UsageError(kContradiction, "--data-version and --checkpoint need a ledger.",
                   "Give --ledger FILE.");
}

}  // namespace

Arguments arguments_of(const std::vector<std::string>& words, int rank) {
  Words found = words_of(words);
  if (found.positional.size() != 2) {
    throw UsageError(kContradiction, "a program and a table are needed.", "See 'dpvi-mpi --help'.");
  }
  std::string table = found.positional[1];
  const bool own_part = put_rank(table, rank);
  Arguments all;
  all.source.model_file = found.positional[0];
  all.source.schema_file = found.take("schema");
  all.source.public_file = found.take("public");
  all.source.title = found.take("title");
  all.source.record_count = found.take("records");
  all.source.one_row_per_person = !found.take("one-row-per-person").empty();
  all.quiet = !found.take("quiet").empty();
  all.fit.table = TableFile{table};
  all.fit.table_kind = own_part ? RankTable::part : RankTable::whole;
  all.fit.bundle = found.take("out");
  all.fit.ledger = ledger_choice(found, table, own_part);
  if (all.fit.bundle.empty()) {
    throw UsageError(kContradiction, "--out is missing.", "Name the folder for the bundle.");
  }
  const SettingTexts texts{std::move(found.flags), std::move(found.phases)};
  refuse_unknown_settings(texts);
  refuse_contradictions(texts);
  if (texts.is_on("non-private")) {
    throw UsageError(kContradiction, "a fit without privacy protection runs in one process.",
                     "Use 'dpvi fit --non-private'.");
  }
  all.fit.request = fit_request(texts);
  all.fit.execution.threads = texts.find("threads") != nullptr ? thread_count(texts) : 1;
  return all;
}

}  // namespace dpvi::mpi
