#pragma once

#include <vector>

#include <dpvi/stan/facts/data_block.hpp>

namespace dpvi {

// Public data used as the observations of a density, and its place.
struct ObservedPublicData {
  const DataBlockVariable* variable = nullptr;
  Spot spot;
};

// Returns each variable once. Includes only variables whose length is given by a data integer: most
// likely they form a second table of records with its own count.
std::vector<ObservedPublicData> observed_public_data(const StanProgram& program,
                                                     const DataBlock& data);

}  // namespace dpvi
