#pragma once

#include <optional>
#include <string>
#include <vector>

#include <dpvi/fit/plan/initial_values.hpp>

namespace dpvi::cli {

// Parsed value of --init.
struct InitialChoice {
  std::optional<InitialValues> values;  // nullopt: start from the optimum for mock records
  std::vector<std::string> public_facts;
};

// `text` is "mock", "zero", "prior", a bundle folder or a file. A file is a bundle's posterior.json
// or parameter values in Stan JSON, which count as declared public. For a private fit, a bundle or
// posterior of an unprotected fit is refused (DP351).
InitialChoice read_init_flag(const std::string& text, const RecordModel& model,
                             bool for_private_fit);

}  // namespace dpvi::cli
