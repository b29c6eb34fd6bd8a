#pragma once

#include <optional>
#include <string>
#include <vector>

#include <dpvi/fit/initial_values.hpp>

namespace dpvi::cli {

// What --init says.
struct InitialChoice {
  std::optional<InitialValues> values;  // none: where made-up records lead
  std::vector<std::string> public_facts;
};

// `text` is "mock", "zero", "prior", a bundle's folder, or a file: a bundle's posterior.json, or
// values of parameters in Stan's JSON, which count as declared public. For a private fit, refuses
// (DP351) what comes from one without protection.
InitialChoice read_init_flag(const std::string& text, const RecordModel& model,
                             bool for_private_fit);

}  // namespace dpvi::cli
