#pragma once

#include <map>
#include <string>
#include <string_view>

#include <dpvi/data/schema.hpp>
#include <dpvi/fit/formula/formula_predictors.hpp>
#include <dpvi/model/regression_formula.hpp>

namespace dpvi {

// A regression as a Stan program.
struct RegressionProgram {
  std::string text;
  std::map<std::string, std::string> renamed;  // columns by variable, where the names differ
};

// Writes a regression as a Stan program for people to read and edit. Its numbers (centres, scales,
// priors, levels) come from the schema alone; every column must be declared there. Columns whose
// names are invalid in Stan are renamed, and a comment gives the line to add to the schema.
//
// Throws UsageError (DP102, DP103) for a likelihood or formula that does not fit, and InputError
// (DP341) for an undeclared fact.
RegressionProgram write_regression(const RegressionFormula& formula, std::string_view likelihood,
                                   const Schema& schema,
                                   DeclaredFacts facts = DeclaredFacts::complete);

// The program below a comment that says where it comes from.
std::string commented_program(std::string formula, std::string_view likelihood,
                              const RegressionProgram& program);

}  // namespace dpvi
