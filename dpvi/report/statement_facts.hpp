#pragma once

#include <optional>
#include <string>
#include <vector>

#include <dpvi/fit/train/fit_result.hpp>

namespace dpvi {

// Facts that both forms of the statement give in the same words.
struct StatementFacts {
  std::string unit;
  std::string protects;
  std::string sampler;
  std::string noise;
  std::string tuning;
  std::string counting;                  // which ledger counts the run, in a sentence
  std::vector<std::string> assumptions;  // the claim is void if one of them fails
  double epsilon_other_adjacency = 0.0;
  std::optional<double> epsilon_lower;  // certified lower end, if the plan includes pld
};

// Facts of a result with privacy protection.
StatementFacts statement_facts(const FitResult& result);

}  // namespace dpvi
