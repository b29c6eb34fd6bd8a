#pragma once

#include <dpvi/stan/facts/data_block.hpp>

namespace dpvi {

// True if the statement of the model block at `spot` reads anything that depends on records,
// directly or through local variables.
bool reads_records(const StanProgram& program, const DataBlock& data, Spot spot);

}  // namespace dpvi
