#pragma once

#include <string>

#include <dpvi/fit/privacy_plan.hpp>

namespace dpvi::cli {

// For programs: one JSON document.
std::string plan_json(const PrivacyPlan& plan);

// For people: what is protected, what it costs under both adjacencies, how much noise that is, and
// what a change would do. `record` says what one record is.
std::string plan_text(const PrivacyPlan& plan, const std::string& record = "one row of the table");

}  // namespace dpvi::cli
