#pragma once

#include <string>

#include <dpvi/privacy/event.hpp>

namespace dpvi {

// Reads a tree of Google dp_accounting events, as dp_event_json() writes it. Throws InputError
// DP411 for a tree with any other event, with more than 4096 phases, or with values that no run can
// have.
GaussianRun run_of_dp_event(const std::string& json);

}  // namespace dpvi
