#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <dpvi/ledger/ledger_chain.hpp>
#include <dpvi/ledger/ledger_entry.hpp>
#include <dpvi/ledger/ledger_terms.hpp>
#include <dpvi/ledger/privacy_filter.hpp>

namespace dpvi {

// One version of the data set. All versions share the budget.
struct DataVersion {
  std::string name;
  std::string fingerprint;  // keyed; see data_fingerprint.hpp
};

// The content of a ledger. All but `witnessed` follows from its lines alone.
struct LedgerState {
  std::string id;  // random
  std::string key_sha256;
  LedgerTerms terms;
  std::vector<DataVersion> data;
  std::vector<LedgerEntry> entries;  // by id, which counts from 1
  std::vector<LedgerLine> lines;
  // The line that the head beside the ledger names; 0 if there is no head.
  std::int64_t witnessed = 0;

  LedgerHead head() const;
  // True if this ledger had that head at some time.
  bool had(const LedgerHead& head) const;
  // Returns nullptr if there is none.
  const LedgerEntry* entry(std::int64_t id) const;
};

// What all charged entries use up.
FilterAmount charged_amount(const LedgerState& state, const PrivacyFilter& filter);

// The phases of all charged entries, under the ledger's adjacency.
GaussianRun charged_run(const LedgerState& state);

// Reads the lines in order. Throws InputError DP603 if the chain is damaged, or if a line says what
// no ledger would have written there.
LedgerState replay(std::vector<LedgerLine> lines, const std::string& path);

}  // namespace dpvi
