#pragma once

#include <dpvi/stan/data_block.hpp>

namespace dpvi {

// Does the statement of the model block that stands here read anything that depends on records,
// also by way of local variables that records fill?
bool reads_records(const StanProgram& program, const DataBlock& data, Spot spot);

}  // namespace dpvi
