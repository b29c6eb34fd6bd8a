#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dpvi {

// Group-level effects: an intercept, slopes, or both.
struct GroupEffects {
  std::string group;
  bool intercept = true;
  std::vector<std::string> slopes;
};

// The parsed form of "response | trials(n) ~ a + b + a:b + (1 + a | g)". Names are columns of the
// table.
struct RegressionFormula {
  std::string response;
  std::string trials;  // empty if not given
  bool intercept = true;
  // Products of columns, without duplicates. A product of one column is a main effect. a*b stands
  // for a + b + a:b.
  std::vector<std::vector<std::string>> terms;
  std::vector<GroupEffects> groups;
};

// A column name is a word of letters, digits, '_' and '.' that does not start with a digit, or any
// text between `backquotes`. Throws UsageError (DP102) with the position of the mistake.
RegressionFormula parse_regression_formula(std::string_view text);

}  // namespace dpvi
