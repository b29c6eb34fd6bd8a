#pragma once

#include <string>
#include <vector>

#include <dpvi/ledger/ledger_state.hpp>

namespace dpvi {

// What a ledger's entries cost, at the ledger's delta and adjacency.
struct LedgerSummary {
  // By the account of the filter. The guarantee is the budget itself; this number is valid only if
  // no run depended on an earlier result.
  double spent_epsilon = 0.0;
  double left_epsilon = 0.0;  // budget minus spent
  // By privacy-loss distributions, tighter, with the same condition.
  double pld_epsilon = 0.0;
  std::vector<double> entry_epsilon;  // of each entry alone, charged or not
};

LedgerSummary summarise(const LedgerState& state);

// Exports of a ledger for other programs. They hold neither the fingerprints nor their key.

// One JSON document with budget, costs, entries and head.
std::string ledger_json(const LedgerState& state);

// The charged runs as a tree of Google dp_accounting events; see dp_event_json().
std::string ledger_dp_event(const LedgerState& state);

// Differences between a ledger and one that only this program has written: lines that were altered,
// runs that the filter would not have admitted, heads that it should have had. Empty if it is
// intact. Throws as Ledger::read() does if the ledger cannot be read at all.
std::vector<std::string> ledger_differences(const LedgerState& state,
                                            const std::vector<LedgerHead>& heads);

}  // namespace dpvi
