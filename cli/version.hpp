#pragma once

#include <string>

namespace dpvi::cli {

// Version, commit, the instruction sets this processor offers to our kernels, linked libraries.
std::string version_text();

}  // namespace dpvi::cli
