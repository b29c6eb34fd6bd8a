#pragma once

#include <optional>

#include <dpvi/stan/run/program_run.hpp>
#include <dpvi/stan/syntax/finding.hpp>

namespace dpvi {

// Tests on mock tables whether the density factorises over units, for programs that use the rows of
// a unit together. At several parameter values, the log density of a table of several units must
// equal the prior plus the sum of the units' contributions, in any order of the units and for
// different numbers of rows. Reports every statement that violates this (DP207). Returns nullopt,
// with a warning, if no mock table has a finite density.
std::optional<bool> test_unit_factorisation(const RunSetting& setting, Findings& findings);

}  // namespace dpvi
