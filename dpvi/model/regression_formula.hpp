#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dpvi {

// A function of one column that R writes into formulas: log(x), I(x^2), scale(x). It is computed
// record by record; nothing in it depends on other rows.
struct ColumnFunction {
  std::string function;  // log, log2, log10, log1p, exp, sqrt, scale, factor or power
  std::string column;
  int power = 1;  // of `power`
};

// Group-level effects: an intercept, slopes, or both.
struct GroupEffects {
  std::string group;                       // "a:b" for the combinations of a and b
  std::vector<std::string> combined = {};  // a and b; empty for a single column
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
  bool all_columns = false;  // "." stands for all columns of the schema that are not used otherwise
  std::map<std::string, ColumnFunction, std::less<>> functions;  // by the name used in `terms`
  std::vector<ColumnFunction> offsets;  // added to the linear predictor; function "" for a column
};

// What R writes that would have to be computed from all rows (poly, splines, cut) is refused with
// the way out.
//
// A column name is a word of letters, digits, '_' and '.' that does not start with a digit, or any
// text between `backquotes`. Throws UsageError (DP102) with the position of the mistake.
RegressionFormula parse_regression_formula(std::string_view text);

}  // namespace dpvi
