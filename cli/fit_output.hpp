#pragma once

#include <optional>
#include <string>

#include <dpvi/fit/fit_result.hpp>
#include <dpvi/fit/noise_forecast.hpp>
#include <dpvi/fit/record_model.hpp>

namespace dpvi::cli {

// The plan and the forecast, as --dry-run shows them.
std::string dry_run_output(const RecordModel& model, const PrivacyPlan& plan,
                           const MockStudy& study, double clip_bound, std::optional<double> rows,
                           bool json);

// What is said on standard error before a private run begins: public numbers only.
std::string fit_preamble(const RecordModel& model, const PrivacyPlan& plan, const MockStudy& study,
                         double clip_bound, std::optional<double> rows);

// What a fit leaves on standard output.
std::string fit_output(const FitResult& result, const std::string& folder, bool json);

}  // namespace dpvi::cli
