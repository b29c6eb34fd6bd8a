#pragma once

#include <string>

namespace dpvi {

// A message as callers from other languages read it: --noise-multiplier becomes noise_multiplier. A
// message that holds a command line of dpvi stays as it is.
std::string spelled_as_arguments(std::string message);

}  // namespace dpvi
