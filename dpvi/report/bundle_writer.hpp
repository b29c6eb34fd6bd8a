#pragma once

#include <filesystem>

#include <dpvi/fit/train/fit_result.hpp>
#include <dpvi/report/run_json.hpp>

namespace dpvi {

// Writes the bundle as a new folder, completely or not at all. Throws like write_folder();
// check_can_create() tests in advance whether the folder can be created. Throws InternalError,
// before anything is written, if the result carries the privacy plan of another run.
void write_bundle(const FitResult& result, const ProgramVersion& program,
                  const std::filesystem::path& target);

}  // namespace dpvi
