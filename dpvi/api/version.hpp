#pragma once

#include <string>
#include <vector>

#include <dpvi/report/run_json.hpp>

namespace dpvi {

// Version and commit of this library, as recorded in every bundle.
ProgramVersion library_version();

// Instruction sets with kernels of their own that this processor supports.
std::vector<std::string> instruction_sets();

// Name and version of each library that dpvi is built from. Shared libraries report the version
// that is loaded.
std::vector<std::string> libraries_used();

}  // namespace dpvi
