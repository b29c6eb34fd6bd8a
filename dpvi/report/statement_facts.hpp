#pragma once

#include <optional>
#include <string>
#include <vector>

#include <dpvi/fit/train/fit_result.hpp>
#include <dpvi/report/cost_facts.hpp>
#include <dpvi/report/run_json.hpp>

namespace dpvi {

// What a record is without a unit.
inline constexpr const char* kOneRow = "one record: one row of the table";
// The same for a program with several tables, whose record counts are joined by ", ".
std::string one_row_text(const std::string& record_count);

// What noise did to the published quantities.
struct AccuracyFacts {
  std::size_t quantities = 0;  // with both parts of the uncertainty
  double median_share = 0.0;   // of the variance that is due to noise; NaN without quantities
  std::vector<std::string> drowned = {};  // those whose uncertainty is mostly noise, worst first
};

// Facts that both forms of the statement give.
struct StatementFacts {
  ProgramVersion program;
  std::string unit;
  std::string protects;
  std::string sampler;
  std::string noise;
  std::string tuning;
  std::string counting;                    // which ledger counts the run, in a sentence
  std::vector<std::string> assumptions;    // the claim is void if one of them fails
  std::vector<std::string> not_protected;  // one sentence each
  std::vector<GroupEpsilon> groups;
  std::vector<BeliefRange> beliefs;
  double right_guesses = 0.5;  // largest chance to guess one of two equally likely records
  AccuracyFacts accuracy;
  double epsilon_other_adjacency = 0.0;
  std::optional<double> epsilon_lower;  // certified lower end, if the plan includes pld
};

// Facts of a result with privacy protection.
StatementFacts statement_facts(const FitResult& result, const ProgramVersion& program);

// The two forms.
std::string statement_json(const FitResult& result, const StatementFacts& facts);
std::string statement_text(const FitResult& result, const StatementFacts& facts);

}  // namespace dpvi
