#include <dpvi/privacy/dp_event_json.hpp>

#include <nlohmann/json.hpp>

namespace dpvi {
namespace {

using Json = nlohmann::ordered_json;

Json event(const char* class_name) {
  return {{"module_name", "dp_accounting.dp_event"}, {"class_name", class_name}};
}

Json phase_event(const GaussianPhase& phase) {
  Json gaussian = event("GaussianDpEvent");
  gaussian["noise_multiplier"] = phase.noise_multiplier;
  Json sampled = event("PoissonSampledDpEvent");
  sampled["sampling_probability"] = phase.sampling_rate;
  sampled["event"] = gaussian;
  Json repeated = event("SelfComposedDpEvent");
  repeated["event"] = sampled;
  repeated["count"] = phase.steps;
  return repeated;
}

}  // namespace

std::string dp_event_json(std::span<const GaussianPhase> run) {
  validate(run);
  Json composed = event("ComposedDpEvent");
  composed["events"] = Json::array();
  for (const GaussianPhase& phase : run)
    if (phase.steps > 0) composed["events"].push_back(phase_event(phase));
  return composed.dump();
}

}  // namespace dpvi
