#pragma once

#include <vector>

#include <dpvi/stan/stan_model.hpp>

namespace dpvi {

// Numbers around which a program may change its mind: those it mentions, with either sign, and
// public ones it is given; each once, at most `most` of them.
std::vector<double> landmarks(const StanProgram& program, const KnownData& known, std::size_t most);

}  // namespace dpvi
