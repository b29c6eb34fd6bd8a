#pragma once

#include <string>
#include <vector>

#include <dpvi/stan/data_block.hpp>

namespace dpvi {

// Record variables that the model block has left of ~ or before the bar of a density: what the
// program explains, as against what it explains it by. In the order of the data block.
std::vector<std::string> outcome_variables(const StanProgram& program, const DataBlock& data);

}  // namespace dpvi
