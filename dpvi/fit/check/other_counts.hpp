#pragma once

#include <string>
#include <vector>

#include <dpvi/fit/check/check_state.hpp>
#include <dpvi/fit/check/model_check.hpp>

// Parts of check_model() for data counted by an integer other than the record count. `undeclared`
// names the public data without a declared value.
namespace dpvi {

// Refuses data counted by another integer, or by one integer per outcome, as brms writes for
// several outcomes.
void refuse_several_counts(ModelCheck& check, const std::vector<std::string>& undeclared);

// Refuses observations beside the records, unless they are declared public.
void refuse_second_table(ModelCheck& check, const StanProgram& program,
                         const std::vector<std::string>& undeclared);

// Refuses (DP206) an undeclared public int that counts records as well: with it as the count of a
// second table, the density is a sum over the rows of both.
void refuse_hidden_table(CheckState& state);

}  // namespace dpvi
