#pragma once

#include <string>

#include <dpvi/report/run_json.hpp>

namespace dpvi::cli {

// Version, commit, the instruction sets this processor offers to our kernels, linked libraries.
std::string version_text();

// For the record of a run.
ProgramVersion program_version();

}  // namespace dpvi::cli
