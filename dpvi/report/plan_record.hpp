#pragma once

#include <string>

#include <dpvi/fit/plan/privacy_plan.hpp>

namespace dpvi {

// The plan as one line of JSON: adjacency, accountant, epsilon, delta, phases[]. Equal plans give
// equal bytes, so the hash identifies the plan.
std::string plan_record(const PrivacyPlan& plan);

}  // namespace dpvi
