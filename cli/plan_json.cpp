#include <dpvi/privacy/adjacency_names.hpp>

#include "json.hpp"
#include "plan_output.hpp"

namespace dpvi::cli {
namespace {

const char* key_of(SolvedFor solved) {
  switch (solved) {
    case SolvedFor::epsilon:
      return "epsilon";
    case SolvedFor::delta:
      return "delta";
    case SolvedFor::noise_multiplier:
      return "noise_multiplier";
    case SolvedFor::steps:
      return "steps";
  }
  return "";
}

Json phase_json(const GaussianPhase& phase) {
  return {{"sampling_rate", phase.sampling_rate},
          {"noise_multiplier", phase.noise_multiplier},
          {"steps", phase.steps}};
}

Json report_json(const AccountantReport& report) {
  Json result;
  if (report.epsilon_ends) {
    result["epsilon_lower"] = report.epsilon_ends->lower;
    result["epsilon_upper"] = report.epsilon_ends->upper;
  } else {
    result["epsilon"] = report.epsilon;
  }
  if (report.delta_ends) {
    result["delta_lower"] = report.delta_ends->lower;
    result["delta_upper"] = report.delta_ends->upper;
  }
  if (report.order) result["order"] = *report.order;
  if (report.order_at_edge) result["order_at_edge"] = true;
  return result;
}

}  // namespace

std::string plan_json(const PrivacyPlan& plan) {
  Json document = {{"ok", true}, {"solved_for", key_of(plan.solved_for)}};
  const bool one_phase = plan.run.size() == 1;
  // The noise multiplier and sampling rate may differ between phases; `phases` lists them.
  document["noise_multiplier"] = one_phase ? Json(plan.run[0].noise_multiplier) : Json();
  document["sampling_rate"] = one_phase ? Json(plan.run[0].sampling_rate) : Json();
  document["steps"] = total_steps(plan.run);
  document["delta"] = plan.delta;
  document["epsilon"] = plan.epsilon;
  document["adjacency"] = name_of(plan.adjacency);
  document["accountant"] = name_of(plan.solver);
  document["accountants"] = Json::object();
  for (const auto& [accountant, report] : plan.accountants) {
    document["accountants"][std::string(name_of(accountant))] = report_json(report);
  }
  document["reasons"] = Json::object();
  for (const auto& [accountant, reason] : plan.reasons) {
    document["accountants"][std::string(name_of(accountant))] = nullptr;
    document["reasons"][std::string(name_of(accountant))] = reason;
  }
  document["epsilon_add_remove"] = plan.epsilon_add_remove;
  document["epsilon_substitute"] = plan.epsilon_substitute;
  document["phases"] = Json::array();
  for (const GaussianPhase& phase : plan.run) document["phases"].push_back(phase_json(phase));
  return document.dump(2) + "\n";
}

}  // namespace dpvi::cli
