#pragma once

#include <vector>

#include <dpvi/stan/facts/data_block.hpp>

namespace dpvi {

// The places where a program reads a neighbouring record, as in y[n - 1] with loop variable n. They
// are the likely cause if the density does not factorise over records.
std::vector<Spot> neighbour_reads(const StanProgram& program, const DataBlock& data);

}  // namespace dpvi
