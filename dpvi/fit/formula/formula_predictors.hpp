#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <dpvi/fit/formula/formula_columns.hpp>
#include <dpvi/model/regression_formula.hpp>

namespace dpvi {

// A predictor as it appears in the linear predictor.
struct Predictor {
  std::string values = {};  // "age_scaled"
  bool category = false;
  std::string word = {};  // in the name of its coefficient
};

// pending: the schema is a draft. Facts that it lacks are not refused, and the number of levels of
// a category without any is a size of the program.
enum class DeclaredFacts { complete, pending };

// The predictors of a formula: columns and functions of columns. Numbers are scaled by public facts
// to about mean 0 and sd 1, so that one prior suits all; transformed data computes them once.
class FormulaPredictors {
 public:
  FormulaPredictors(const RegressionFormula& formula, FormulaColumns& columns, ProgramHead& head,
                    DeclaredFacts facts)
      : formula_(formula), columns_(columns), head_(head), facts_(facts) {}

  Predictor predictor(const std::string& name);
  // The schema's entry for the column that a predictor is computed from.
  const ColumnSchema& column_below(const std::string& name) const;
  // A function of a column as it stands in the table, without scaling.
  std::string unscaled(const ColumnFunction& called);

 private:
  Predictor column_predictor(const std::string& name);
  Predictor function_predictor(const ColumnFunction& called);
  Predictor category_predictor(const ColumnFunction& called);
  Predictor scaled_predictor(const ColumnFunction& called);
  std::string raw_values(const ColumnFunction& called);
  std::string scaled(const ColumnSchema& known, const std::string& name);

  const RegressionFormula& formula_;
  FormulaColumns& columns_;
  ProgramHead& head_;
  DeclaredFacts facts_;
  std::map<std::string, Predictor> predictors_;
};

// A number as a short literal of the program.
std::string rounded(double number);

}  // namespace dpvi
