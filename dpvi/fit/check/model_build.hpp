#pragma once

#include <dpvi/fit/check/check_state.hpp>

// Part of check_model() that runs the program to build its model.
namespace dpvi {

// Builds the model, with mock values for undeclared public data. Facts that are not declared are
// taken from the public records, if there are any. Without a model, the reason is a finding.
void build_checked_model(CheckState& state);

// Adds what stopped a run to the findings: as a warning if mock values may be the cause.
void add_failure(CheckState& state, const RunFailure& failure);

}  // namespace dpvi
