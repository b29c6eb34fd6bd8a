#pragma once

#include <optional>
#include <string>
#include <vector>

#include <dpvi/fit/fit_result.hpp>

namespace dpvi {

// What both forms of the statement say, in the same words.
struct StatementFacts {
  std::string unit;
  std::string protects;
  std::string sampler;
  std::string noise;
  std::string tuning;
  std::vector<std::string> assumptions;  // the claim is void where one of them fails
  double epsilon_other_adjacency = 0.0;
  std::optional<double> epsilon_lower;  // the certified lower end, where pld was asked
};

// Of a result with protection.
StatementFacts statement_facts(const FitResult& result);

}  // namespace dpvi
