#pragma once

#include <filesystem>

#include <dpvi/fit/fit_result.hpp>
#include <dpvi/report/run_json.hpp>

namespace dpvi {

// Writes the bundle as a new folder, all of it or nothing (see write_folder() for what is thrown).
// check_can_create() tells beforehand whether it can be. Throws InternalError, before anything is
// written, if the result carries the privacy plan of another run.
void write_bundle(const FitResult& result, const ProgramVersion& program,
                  const std::filesystem::path& target);

}  // namespace dpvi
