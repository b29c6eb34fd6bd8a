#pragma once

#include <optional>

#include <dpvi/stan/run/stan_model.hpp>
#include <dpvi/stan/syntax/finding.hpp>

namespace dpvi {

// Tests on mock records whether the density factorises over records. At several parameter values,
// the log density of a table of mock records must equal the prior plus the sum of its records'
// likelihood terms. Reports every statement that violates this (DP207). Returns nullopt, with a
// warning, if too few mock records have a finite density. Throws InputError if the program cannot
// be run.
std::optional<bool> test_factorisation(const CheckedProgram& checked, const DataBlock& data,
                                       const FunctionRegistry& registry,
                                       const StanModelOptions& options, Findings& findings);

}  // namespace dpvi
