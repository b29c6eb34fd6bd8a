#include "budget_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include <dpvi/ledger/ledger_summary.hpp>
#include <dpvi/privacy/adjacency_names.hpp>

#include "console.hpp"

namespace dpvi::cli {
namespace {

std::string bar(double share) {
  constexpr double kWidth = 40;
  const auto filled = static_cast<std::size_t>(std::ceil(kWidth * std::clamp(share, 0.0, 1.0)));
  return fmt::format("[{:-<40}]", std::string(filled, '#'));
}

std::string run_text(const LedgerEntry& entry, Adjacency adjacency) {
  const GaussianRun run = equivalent_run(entry.run.mechanisms, adjacency);
  if (run.size() != 1) {
    return fmt::format("{:>9} {:>9} {:>9}", "several", "several", total_steps(run));
  }
  return fmt::format("{:>9.4g} {:>9.4g} {:>9}", run[0].sampling_rate, run[0].noise_multiplier,
                     run[0].steps);
}

}  // namespace

std::string ledger_text(const std::string& file, const LedgerState& state) {
  const LedgerSummary summary = summarise(state);
  const LedgerTerms& terms = state.terms;
  std::string text = fmt::format(
      "{}: budget epsilon {:.6g}, delta {:.3g}, {} adjacency, unit {}, filter {}\n"
      "{} spent {:.4g} of {:.4g}, left {:.4g}\n"
      "Total by privacy-loss distributions: {:.4g}. This total and what is spent are valid only if "
      "no\nrun depended on an earlier result; the budget is valid in any case.\n",
      file, terms.epsilon, terms.delta, name_of(terms.adjacency), terms.unit, name_of(terms.filter),
      bar(summary.spent_epsilon / terms.epsilon), summary.spent_epsilon, terms.epsilon,
      summary.left_epsilon, summary.pld_epsilon);
  text += large_epsilon_warning(terms.epsilon);
  const auto out = std::back_inserter(text);
  if (!state.entries.empty()) {
    fmt::format_to(out, "\n{:>4} {:<9} {:<19} {:>9} {:>9} {:>9} {:>9}\n", "id", "state",
                   "time (UTC)", "epsilon", "rate", "noise", "steps");
  }
  for (std::size_t i = 0; i < state.entries.size(); ++i) {
    const LedgerEntry& entry = state.entries[i];
    fmt::format_to(out, "{:>4} {:<9} {:<19} {:>9.4g} {}\n", entry.id, name_of(entry.state),
                   entry.time, summary.entry_epsilon[i], run_text(entry, terms.adjacency));
  }
  for (const LedgerEntry& entry : state.entries) {
    if (entry.state != EntryState::forgiven) continue;
    fmt::format_to(out, "{} was forgiven by {}: {}\n", entry.id, entry.forgiven_by,
                   entry.forgiven_because);
  }
  fmt::format_to(out, "Head: line {}, {}\n", state.head().position, state.head().hash);
  return printable(text);  // a ledger may come from a stranger, also through a pipe
}

std::string large_epsilon_warning(double epsilon) {
  constexpr double kCommonPractice = 10.0;
  if (epsilon <= kCommonPractice) return {};
  return fmt::format(
      "warning: epsilon {:.4g} is beyond common practice (at most 10). An attacker who thinks 50 "
      "%\n"
      "likely that a person has some property may end almost certain of it.\n",
      epsilon);
}

}  // namespace dpvi::cli
