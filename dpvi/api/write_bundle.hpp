#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <dpvi/api/planned_fit.hpp>
#include <dpvi/fit/train/fit_result.hpp>
#include <dpvi/report/bundle_writer.hpp>

namespace dpvi {

// Throws CannotCreateError or another Error if a bundle could not be written to this folder. Call
// it before a private fit: a result that cannot be written has spent its budget all the same.
void check_can_write_bundle(const std::filesystem::path& folder);

// Disk space that the bundle of a planned fit will need, rounded up generously.
std::uint64_t bundle_size(const PlannedFit& planned);

// Writes a bundle that has been paid for to a new folder among the temporary files, and says in
// two sentences that its budget is spent and where it is. Meant for the hint of an error.
std::string save_elsewhere(const BundleFiles& bundle);

// Writes these files as a new folder, completely or not at all. If that fails they are saved
// elsewhere; the error says where.
void write_paid_files(const BundleFiles& bundle, const std::filesystem::path& folder);

// Writes the result as a new folder, completely or not at all.
void write_bundle(const FitResult& result, const std::filesystem::path& folder);

}  // namespace dpvi
