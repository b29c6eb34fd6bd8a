#pragma once

#include <string>

#include <dpvi/fit/fit_result.hpp>

namespace dpvi {

// The program that made a bundle.
struct ProgramVersion {
  std::string version;
  std::string commit;
};

// run.json: what would be needed to run the same again, and to tell whether it was the same: the
// settings as they really were, versions, and SHA-256 of model, schema and plan (the plan's over
// `plan` as one line of JSON, see plan_record()).
//
// Guarantee: no durations, no hash of data, and one timestamp, taken before data was opened.
std::string run_json(const FitResult& result, const ProgramVersion& program);

}  // namespace dpvi
