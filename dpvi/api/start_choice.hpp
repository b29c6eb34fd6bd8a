#pragma once

#include <optional>
#include <string>
#include <vector>

#include <dpvi/fit/plan/initial_values.hpp>

namespace dpvi {

// The start of a fit, and the public facts that it adds to the privacy statement.
struct StartChoice {
  std::optional<InitialValues> values;  // nullopt: start from the optimum for mock records
  std::vector<std::string> public_facts;
};

// Whether the fit that starts there is private.
enum class StartOf { private_fit, unprotected_fit };

// `init` is "mock", "zero", "prior", a bundle folder or a file. A file is a bundle's posterior.json
// or parameter values in Stan JSON, which count as declared public. For a private fit, a bundle or
// posterior of an unprotected fit is refused (DP351).
StartChoice read_start(const std::string& init, const RecordModel& model, StartOf start_of);

}  // namespace dpvi
