#pragma once

#include <string>

#include <dpvi/fit/train/private_fit.hpp>

namespace dpvi::cli {

// A private fit that is planned but not started. It holds public values only.
struct PlannedFit {
  const RecordModel& model;
  const PrivateFitPlan& plan;
  const MockStudy& study;
  const FitSettings& settings;
  const Binding& binding;
};

// Returns the plan and the forecast for --dry-run.
std::string dry_run_output(const PlannedFit& fit, bool json);

// Returns the text printed to stderr before a private run starts.
std::string fit_preamble(const PlannedFit& fit);

// Returns a time breakdown of a run. It is not for release: times depend on the batch sizes.
std::string profile_text(const LoopTimes& times);

// Returns the text a fit prints to standard output.
std::string fit_output(const FitResult& result, const std::string& folder, bool json);

}  // namespace dpvi::cli
