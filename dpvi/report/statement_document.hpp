#pragma once

#include <string>

#include <dpvi/report/statement_facts.hpp>

namespace dpvi {

// Parts of statement.md for people who file it. Each ends with an empty line.

// What the statement is about, with a visible blank for everything that [study] does not declare.
std::string study_section(const FitResult& result, const StatementFacts& facts);
// Epsilon and delta in words.
std::string plain_section(const FitResult& result, const StatementFacts& facts);
std::string unprotected_section(const FitResult& result, const StatementFacts& facts);
std::string accuracy_section(const FitResult& result, const StatementFacts& facts);
// What all runs of the ledger have spent.
std::string spent_section(const FitResult& result);
std::string signature_section(const FitResult& result);

}  // namespace dpvi
