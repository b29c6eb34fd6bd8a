#pragma once

#include <vector>

#include <dpvi/stan/run/stan_model.hpp>

namespace dpvi {

// Likely branch thresholds: the literals of the program, with either sign, and the public data;
// without duplicates and at most `most`.
std::vector<double> thresholds(const StanProgram& program, const KnownData& known,
                               std::size_t most);

}  // namespace dpvi
