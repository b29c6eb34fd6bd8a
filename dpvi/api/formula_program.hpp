#pragma once

#include <string>

#include <dpvi/api/program.hpp>

namespace dpvi {

// A regression by formula. `likelihood` is one of kLikelihoods or a name that R uses for it; if it
// is empty, it follows from what the schema declares about the response.
struct FormulaSource {
  std::string formula;     // response ~ predictors
  std::string likelihood;  // "bernoulli", "gaussian", ...
  std::string link = {};   // checked if given: only the usual link of a likelihood is offered
};

// Writes the regression as a Stan program for the columns that the schema of `source` declares, and
// returns it with that schema. Columns whose names are invalid in Stan are bound to their
// variables. The program of `source` is not read; its `model_file` names the model. Reads no
// record.
ProgramInputs formula_program_inputs(const FormulaSource& formula, const ProgramSource& source);
Program formula_program(const FormulaSource& formula, const ProgramSource& source);

}  // namespace dpvi
