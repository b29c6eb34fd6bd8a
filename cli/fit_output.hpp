#pragma once

#include <string>

#include <dpvi/api/planned_fit.hpp>
#include <dpvi/fit/train/fit_result.hpp>

namespace dpvi::cli {

// Returns the plan and the forecast for --dry-run.
std::string dry_run_output(const PlannedFit& fit, bool json);

// Returns the text printed to stderr before a private run starts.
std::string fit_preamble(const PlannedFit& fit);

// Returns a time breakdown of a run. It is not for release: times depend on the batch sizes.
std::string profile_text(const LoopTimes& times);

// Returns the text a fit prints to standard output.
std::string fit_output(const FitResult& result, const std::string& folder, bool json);

}  // namespace dpvi::cli
