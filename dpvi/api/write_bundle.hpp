#pragma once

#include <filesystem>

#include <dpvi/fit/train/fit_result.hpp>

namespace dpvi {

// Throws CannotCreateError or another Error if a bundle could not be written to this folder. Call
// it before a private fit: a result that cannot be written has spent its budget all the same.
void check_can_write_bundle(const std::filesystem::path& folder);

// Writes the result as a new folder, completely or not at all.
void write_bundle(const FitResult& result, const std::filesystem::path& folder);

}  // namespace dpvi
