#pragma once

#include <dpvi/fit/check/check_state.hpp>

// Part of check_model() that describes the model.
namespace dpvi {

// Adds what the model shows to the summaries: sizes of parameters, columns of record data, and the
// quantities that the result contains.
void summarise_model(CheckState& state);

}  // namespace dpvi
