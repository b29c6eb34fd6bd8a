#pragma once

#include <string>
#include <vector>

#include <dpvi/data/schema.hpp>

namespace dpvi {

// What is known before any column is declared: names, and what the user says.
struct FormulaStart {
  std::string formula;
  std::string likelihood;           // empty: it will follow from the completed schema
  std::vector<std::string> header;  // of the table
  std::string table;                // for messages
  Schema declared;                  // rows and unit, as far as given
};

// A schema to complete, and the program as far as names decide it.
struct FormulaDraft {
  std::string schema;
  std::vector<std::string> missing;  // keys to fill in
  std::string program;
  bool asks_for_unit = false;  // a name looks like an id, and one of two lines must be chosen
};

// Drafts both from names alone. Functions and groups of the formula decide what their columns are;
// the others are a line to fill in. Until then the program takes them as reals, and takes the
// number of levels of a category as a size, which follows from the schema. Refuses (DP321) a column
// that the table lacks.
FormulaDraft draft_formula_start(const FormulaStart& start);

// "outcome ~ a + b + ...", with all columns of the header that may be predictors by their names:
// not the unit, no ids, and no names of persons, addresses or remarks. The others are appended to
// `left_out`.
std::string proposed_formula(const std::string& outcome, const FormulaStart& start,
                             std::vector<std::string>& left_out);

}  // namespace dpvi
