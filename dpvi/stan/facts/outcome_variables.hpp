#pragma once

#include <string>
#include <vector>

#include <dpvi/stan/facts/data_block.hpp>

namespace dpvi {

// The record variables that the model block has to the left of ~ or before the bar of a density:
// the outcomes, as opposed to the predictors. In the order of the data block.
std::vector<std::string> outcome_variables(const StanProgram& program, const DataBlock& data);

}  // namespace dpvi
