#pragma once

#include <optional>

#include <dpvi/stan/finding.hpp>
#include <dpvi/stan/stan_model.hpp>

namespace dpvi {

// Tests on made-up records, at several parameter values, that the log density of eight records is
// the prior plus the sum of eight records' contributions. Every statement that breaks this is
// reported (DP207). Nothing if no made-up record could be used; that is reported as a warning.
// Throws InputError where the program cannot be run.
std::optional<bool> test_factorisation(const CheckedProgram& checked, const DataBlock& data,
                                       const FunctionRegistry& registry,
                                       const StanModelOptions& options, Findings& findings);

}  // namespace dpvi
