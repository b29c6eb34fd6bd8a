#pragma once

#include <string>
#include <vector>

#include <dpvi/eval/row_table.hpp>
#include <dpvi/report/bundle_reader.hpp>
#include <dpvi/stan/row_program.hpp>

#include "fit_data.hpp"

namespace dpvi::cli {

// A bundle ready to be used: its posterior, and its program with everything public around it. Made
// from the bundle's files alone.
struct OpenedBundle {
  Bundle bundle;
  Program program;
  BoundModel bound;  // all variables, with the columns that the fit found
  StanModelOptions options;
};

OpenedBundle open_bundle(const std::string& folder);

// What the program says about single rows. `opened` must outlive it.
RowProgram row_program(const OpenedBundle& opened);

// Which of the program's variables a table is read for. Of `outcome` rows may lack a usable cell,
// and the table the columns: then no row has one.
struct WantedVariables {
  std::vector<std::string> needed;
  std::vector<std::string> outcome;
};

RowTable read_rows(const OpenedBundle& opened, const std::string& file,
                   const WantedVariables& wanted);

}  // namespace dpvi::cli
