#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <dpvi/fit/train/fit_result.hpp>
#include <dpvi/report/atomic_folder.hpp>
#include <dpvi/report/run_json.hpp>

namespace dpvi {

// All files of a bundle, the last of which is its manifest, with the hash of that manifest.
struct BundleFiles {
  std::vector<FolderFile> files;
  std::string manifest_sha256;
};

// Throws InternalError if the result carries the privacy plan of another run.
BundleFiles bundle_files(const FitResult& result, const ProgramVersion& program);

// Writes the bundle as a new folder, completely or not at all. Throws like write_folder();
// check_can_create() tests in advance whether the folder can be created. Throws InternalError,
// before anything is written, if the result carries the privacy plan of another run.
void write_bundle(const FitResult& result, const ProgramVersion& program,
                  const std::filesystem::path& target);

}  // namespace dpvi
