#include <dpvi/report/plan_record.hpp>

#include <nlohmann/json.hpp>

#include <dpvi/report/statement.hpp>

namespace dpvi {

std::string plan_record(const PrivacyPlan& plan) {
  nlohmann::ordered_json record = {{"adjacency", adjacency_name(plan.adjacency)},
                                   {"accountant", name_of(plan.solver)},
                                   {"epsilon", plan.epsilon},
                                   {"delta", plan.delta}};
  record["phases"] = nlohmann::ordered_json::array();
  for (const GaussianPhase& phase : plan.run) {
    record["phases"].push_back({{"sampling_rate", phase.sampling_rate},
                                {"noise_multiplier", phase.noise_multiplier},
                                {"steps", phase.steps}});
  }
  return record.dump();
}

}  // namespace dpvi
