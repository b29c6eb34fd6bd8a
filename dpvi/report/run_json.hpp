#pragma once

#include <string>

#include <dpvi/fit/train/fit_result.hpp>

namespace dpvi {

// Version of the program that wrote a bundle.
struct ProgramVersion {
  std::string version;
  std::string commit;
};

// run.json: what is needed to repeat a run and to check that it was the same. It holds the settings
// actually used, versions, and SHA-256 of model, schema and plan. The hash of the plan is over
// `plan` as one line of JSON; see plan_record().
//
// Guarantee: no durations, no hash of data, and one timestamp, taken before data was opened.
std::string run_json(const FitResult& result, const ProgramVersion& program);

}  // namespace dpvi
