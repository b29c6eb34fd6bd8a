#include "next_script.hpp"

#include <fmt/format.h>

namespace dpvi::cli {
namespace {

// A text as one word of the shell.
std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char byte : text) {
    word += byte == '\'' ? std::string("'\\''") : std::string(1, byte);
  }
  return word + "'";
}

constexpr const char* kOpening = R"sh(#!/bin/sh
# The way from the completed schema to a result.
#   sh next.sh      rehearses on mock records: no record is read, nothing is spent
#   sh next.sh 1    rehearses, then fits the table at epsilon 1
#   sh next.sh 1 3  the same, with a budget of 3 for all fits to the table (default: twice epsilon)
set -e
cd "$(dirname "$0")"
epsilon=$1
)sh";

constexpr const char* kGate = R"sh(
# 1. The schema: every line marked FILL IN needs a public fact.
if grep -n '^# .*# FILL IN' schema.toml; then
  echo 'Complete these lines of schema.toml and remove the # before them.' >&2
  exit 65
fi
)sh";

constexpr const char* kUnitGate =
    R"sh(if ! grep -Eq '^(unit|one_row_per_person) *=' schema.toml; then
  echo 'Choose in [table] of schema.toml: unit with max_rows_per_unit, or one_row_per_person.' >&2
  exit 65
fi
)sh";

constexpr const char* kRehearsal = R"sh(
# 3. The rehearsal, with a table of mock records and the forecast for the true one.
rm -rf mock.csv mock-result
"$dpvi" mock "$model" --schema schema.toml --rows 1000 --out mock.csv
"$dpvi" fit "$model" mock.csv --schema schema.toml --epsilon "${epsilon:-1}" \
  --ledger none --out mock-result
"$dpvi" summary mock-result
"$dpvi" fit "$model" "$table" --schema schema.toml --epsilon "${epsilon:-1}" --dry-run
if [ -z "$epsilon" ]; then
  echo 'Nothing was spent. If the forecast suffices: sh next.sh EPSILON'
  exit 0
fi

# 4. The budget: what all fits to this table may spend together. It never changes, so decide on it
# before the first fit. A ledger of several fits counts each a little higher than its plan.
budget=${2:-$(awk -v epsilon="$epsilon" 'BEGIN { print 2 * epsilon }')}
unit=$(sed -n 's/^unit *= *"\([^"]*\)".*/\1/p' schema.toml)
if [ ! -e budget.ledger ]; then
  "$dpvi" budget budget.ledger init --epsilon "$budget" --delta 1e-6 --unit "${unit:-row}"
fi

# 5. The fit, which spends epsilon, and the result, which may be published.
"$dpvi" fit "$model" "$table" --schema schema.toml --epsilon "$epsilon" \
  --ledger budget.ledger --out result
"$dpvi" summary result
"$dpvi" report result --out report.html
)sh";

}  // namespace

std::string next_script(const NextSteps& steps) {
  std::string text = kOpening;
  text += fmt::format("dpvi=${{DPVI:-{}}}\n", shell_word(steps.program));
  text += fmt::format("table={}\n", shell_word(steps.table));
  text += fmt::format("model={}\n", steps.model.empty() ? "model.stan" : shell_word(steps.model));
  text += kGate;
  if (steps.asks_for_unit) text += kUnitGate;
  if (steps.model.empty()) {
    text +=
        "\n# 2. The program, written again from the completed schema. Remove the next two lines if "
        "you\n# change model.stan yourself.\n";
    text += fmt::format(
        "\"$dpvi\" formula {}{} --schema schema.toml > model.new\n", shell_word(steps.formula),
        steps.likelihood.empty() ? "" : " --likelihood " + shell_word(steps.likelihood));
    text += "mv model.new model.stan\n";
  } else {
    text += "\n# 2. The program.\n";
  }
  text += "\"$dpvi\" check \"$model\" --schema schema.toml\n";
  return text + kRehearsal;
}

}  // namespace dpvi::cli
