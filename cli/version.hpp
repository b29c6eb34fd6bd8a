#pragma once

#include <string>

#include <dpvi/report/run_json.hpp>

namespace dpvi::cli {

// Returns version, commit, instruction sets available to our kernels, and linked libraries.
std::string version_text();

// Version recorded with a run.
ProgramVersion program_version();

}  // namespace dpvi::cli
