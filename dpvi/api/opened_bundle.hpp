#pragma once

#include <string>
#include <vector>

#include <dpvi/api/bound_model.hpp>
#include <dpvi/api/table.hpp>
#include <dpvi/eval/row_table.hpp>
#include <dpvi/report/bundle_reader.hpp>
#include <dpvi/report/bundle_texts.hpp>
#include <dpvi/stan/run/row_program.hpp>

namespace dpvi {

// A program with everything that it needs besides rows.
struct OpenedProgram {
  BoundModel bound;  // all variables, with their columns
  StanModelOptions options;
};

// A bundle ready for use: its posterior, its program with the columns used by the fit, and the
// public inputs of that program. It is built from the bundle's files alone.
struct OpenedBundle : OpenedProgram {
  Bundle bundle;
};

OpenedBundle open_bundle(const std::string& folder);
// The same for a bundle in memory.
OpenedBundle open_bundle(const BundleTexts& texts);

// Returns the per-row quantities of the program. `opened` must outlive the result.
RowProgram row_program(const OpenedProgram& opened);

// The program variables to read from a table. A row may lack a usable cell for `outcome`. The table
// may also lack those columns; then no row has an observed outcome.
struct WantedVariables {
  std::vector<std::string> needed;
  std::vector<std::string> outcome;
};

RowTable read_rows(const OpenedProgram& opened, const Table& table, const WantedVariables& wanted);

}  // namespace dpvi
