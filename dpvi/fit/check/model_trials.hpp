#pragma once

#include <dpvi/fit/check/check_state.hpp>

// Part of check_model() that tests the model on mock records and parameter values.
namespace dpvi {

// Tests whether records have an influence, the prior has a value, the density factorises over
// records and the gradients are right. Failures become findings.
void test_model(CheckState& state);

}  // namespace dpvi
