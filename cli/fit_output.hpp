#pragma once

#include <string>

#include <dpvi/fit/fit.hpp>

namespace dpvi::cli {

// A private fit that has been planned but not begun: public numbers only.
struct PlannedFit {
  const RecordModel& model;
  const PrivateFitPlan& plan;
  const MockStudy& study;
  const FitSettings& settings;
  const Binding& binding;
};

// The plan and the forecast, as --dry-run shows them.
std::string dry_run_output(const PlannedFit& fit, bool json);

// What is said on standard error before a private run begins.
std::string fit_preamble(const PlannedFit& fit);

// What a run's time went to. Not for release: it depends on the sizes of the batches.
std::string profile_text(const LoopTimes& times);

// What a fit leaves on standard output.
std::string fit_output(const FitResult& result, const std::string& folder, bool json);

}  // namespace dpvi::cli
