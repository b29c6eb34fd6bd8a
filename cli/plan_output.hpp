#pragma once

#include <string>

#include <dpvi/fit/plan/privacy_plan.hpp>

namespace dpvi::cli {

// Machine-readable report: one JSON document.
std::string plan_json(const PrivacyPlan& plan);

// Human-readable report: what is protected, the cost under both adjacencies, the amount of noise,
// and the effect of changes. `record` describes one record.
std::string plan_text(const PrivacyPlan& plan, const std::string& record = "one row of the table");

}  // namespace dpvi::cli
