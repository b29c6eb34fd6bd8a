#pragma once

#include <optional>
#include <string>

#include <dpvi/ledger/ledger_chain.hpp>

namespace dpvi {

// The highest head that a ledger had, in a file beside it (LEDGER.head). A ledger that is replaced
// by an older copy of itself is found by it. The bundles of its runs are further witnesses, which
// nobody can replace together with the ledger.

// Returns nullopt if there is no such file, or if it holds something else.
std::optional<LedgerHead> read_witness(const std::string& ledger_path);

// Replaces a lower head. Does nothing if the file cannot be written: a ledger works without it.
void raise_witness(const std::string& ledger_path, const LedgerHead& head) noexcept;

}  // namespace dpvi
