#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dpvi {

// Effects that differ from group to group: an intercept, slopes, or both.
struct GroupEffects {
  std::string group;
  bool intercept = true;
  std::vector<std::string> slopes;
};

// "response | trials(n) ~ a + b + a:b + (1 + a | g)", taken apart. Names are columns of the table.
struct RegressionFormula {
  std::string response;
  std::string trials;  // empty if not given
  bool intercept = true;
  // Products of columns, each once: one column is a main effect. a*b stands for a + b + a:b.
  std::vector<std::vector<std::string>> terms;
  std::vector<GroupEffects> groups;
};

// A column's name is a word of letters, digits, '_' and '.', or anything between `backquotes`.
// Throws UsageError (DP102) with the place of the mistake.
RegressionFormula parse_regression_formula(std::string_view text);

}  // namespace dpvi
