#pragma once

#include <vector>

#include <dpvi/stan/data_block.hpp>

namespace dpvi {

// Where a program reads a record's neighbour, as in y[n - 1] with n from a loop: what is to blame
// if its density is no sum over records.
std::vector<Spot> neighbour_reads(const StanProgram& program, const DataBlock& data);

}  // namespace dpvi
