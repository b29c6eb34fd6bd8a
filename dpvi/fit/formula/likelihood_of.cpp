#include <dpvi/fit/formula/likelihood_of.hpp>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>
#include <dpvi/fit/formula/formula_columns.hpp>

namespace dpvi {

std::string likelihood_of(const RegressionFormula& formula, const Schema& schema) {
  if (!formula.trials.empty()) return "binomial";
  ProgramHead unused;
  const ColumnSchema& response = FormulaColumns(schema, unused).column(formula.response);
  if (response.type == ColumnType::real) return "normal";
  const bool from_zero = response.type == ColumnType::integer && response.lower == 0.0;
  if (from_zero) return response.upper == 1.0 ? "bernoulli" : "neg_binomial_2";
  if (response.levels.size() == 2) return "bernoulli";
  std::string what =
      fmt::format("The likelihood does not follow from the response '{}': ", formula.response);
  std::string hint =
      "Declare type = \"int\" with lower = 0 and upper = 1 for 0 and 1, with lower = 0 for counts, "
      "type = \"real\" for measurements; or name --likelihood.";
  if (response.type == ColumnType::category) {
    what += fmt::format("it has {} levels.", response.levels.size());
    hint = "If the levels have an order, add --likelihood ordered.";
  } else if (response.type == ColumnType::integer) {
    what += "it is an int without lower = 0.";
  } else {
    what += "the schema does not declare its type.";
  }
  throw InputError(kUndeclaredPublicFact, what, hint, response.place);
}

}  // namespace dpvi
