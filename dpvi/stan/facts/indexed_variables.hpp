#pragma once

#include <string>
#include <vector>

#include <dpvi/stan/facts/data_block.hpp>

namespace dpvi {

// A variable computed from parameters, one dimension of which is indexed by an int of the record:
// `alpha[group[n]]`. It has a value for each level of that int.
struct IndexedVariable {
  std::string name;
  std::string index;                     // the data variable
  const StanExpression* size = nullptr;  // of the dimension, as declared
  Spot spot;                             // of the first such index
};

// Variables of the blocks from the parameters on, in the order of their first use. An index may be
// passed on through local ints (`int g = group[n]; alpha[g]`).
std::vector<IndexedVariable> variables_indexed_by_records(const StanProgram& program,
                                                          const DataBlock& data);

}  // namespace dpvi
