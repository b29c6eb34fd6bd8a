#pragma once

#include <dpvi/fit/check/check_state.hpp>

// Part of check_model() that reads the program text.
namespace dpvi {

// Summarises the data and the parameters that the program declares. Continues with the likely
// record count if the program lacks the requested one, so that all findings are reported at once;
// returns the findings about the requested one.
Findings summarise_program(CheckState& state);

// Adds the values to the summaries of public data.
void note_values(CheckState& state, const PublicData& values);

// Reports parameters with a value for each level of an index whose levels may be persons.
void ask_about_levels(CheckState& state);

// Warns of a program that brms wrote: brms writes medians and spreads of the response into its
// default priors.
void warn_of_brms(CheckState& state);

}  // namespace dpvi
