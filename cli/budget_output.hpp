#pragma once

#include <string>

#include <dpvi/ledger/ledger_state.hpp>

namespace dpvi::cli {

// The account of a ledger for people: the budget, a bar of what is spent, and a table of the runs.
std::string ledger_text(const std::string& file, const LedgerState& state);

// A sentence about a budget beyond common practice; empty for any other.
std::string large_epsilon_warning(double epsilon);

}  // namespace dpvi::cli
