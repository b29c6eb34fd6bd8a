#include <dpvi/api/formula_program.hpp>

#include <utility>

#include <dpvi/fit/formula/likelihood_name.hpp>
#include <dpvi/fit/formula/likelihood_of.hpp>
#include <dpvi/fit/formula/regression_program.hpp>
#include <dpvi/model/regression_formula.hpp>

namespace dpvi {
namespace {

Schema schema_of(const ProgramSource& source) {
  if (source.schema_text) return parse_schema(*source.schema_text, source.schema_file);
  return source.schema_file.empty() ? Schema{} : read_schema(source.schema_file);
}

}  // namespace

ProgramInputs formula_program_inputs(const FormulaSource& formula, const ProgramSource& source) {
  const RegressionFormula parsed = parse_regression_formula(formula.formula);
  const Schema schema = schema_of(source);
  const std::string named =
      formula.likelihood.empty() ? likelihood_of(parsed, schema) : formula.likelihood;
  const std::string likelihood = likelihood_named(named, formula.link, !parsed.trials.empty());
  const RegressionProgram written = write_regression(parsed, likelihood, schema);
  ProgramSource complete = source;
  complete.model_text = commented_program(formula.formula, likelihood, written);
  ProgramInputs inputs = read_program_inputs(complete);
  for (const auto& [variable, column] : written.renamed) {
    inputs.schema.bindings.try_emplace(variable, DeclaredBinding{{column}, {}});
  }
  return inputs;
}

Program formula_program(const FormulaSource& formula, const ProgramSource& source) {
  return Program(formula_program_inputs(formula, source));
}

}  // namespace dpvi
