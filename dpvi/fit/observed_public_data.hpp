#pragma once

#include <vector>

#include <dpvi/stan/data_block.hpp>

namespace dpvi {

// Public data that stands where a density has its observations, and the place.
struct ObservedPublicData {
  const DataBlockVariable* variable = nullptr;
  Spot spot;
};

// Each variable once. Only those with a length that some data int gives: most likely a second table
// of records, with a count of its own.
std::vector<ObservedPublicData> observed_public_data(const StanProgram& program,
                                                     const DataBlock& data);

}  // namespace dpvi
