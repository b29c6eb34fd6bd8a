#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include <dpvi/ledger/ledger_entry.hpp>
#include <dpvi/ledger/ledger_terms.hpp>
#include <dpvi/ledger/mechanism.hpp>

namespace dpvi {

// The JSON of a ledger's lines and exports. Readers throw nlohmann::json::exception or Error for a
// text that no ledger has written.
using LedgerJson = nlohmann::ordered_json;

LedgerJson json_of(std::span<const Mechanism> mechanisms);
std::vector<Mechanism> mechanisms_from(const LedgerJson& json);

LedgerJson json_of(const LedgerTerms& terms);
LedgerTerms terms_from(const LedgerJson& json);

LedgerJson json_of(const LedgerRun& run);
LedgerRun run_from(const LedgerJson& json);

// Parses the body of a line, which is an object of limited depth.
LedgerJson parse_body(const std::string& body);

}  // namespace dpvi
