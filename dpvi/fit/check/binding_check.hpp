#pragma once

#include <dpvi/fit/check/check_state.hpp>

// Part of check_model() that binds public inputs to the program.
namespace dpvi {

// Binds the declared data, sets the options of the build and warns of inputs that are not used. A
// refusal becomes a finding.
void bind_public_inputs(CheckState& state);

}  // namespace dpvi
