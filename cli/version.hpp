#pragma once

#include <string>

namespace dpvi::cli {

// Returns version, commit, instruction sets available to our kernels, and linked libraries.
std::string version_text();

}  // namespace dpvi::cli
