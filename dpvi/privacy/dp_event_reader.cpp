#include <dpvi/privacy/dp_event_reader.hpp>

#include <nlohmann/json.hpp>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

using EventJson = nlohmann::json;

[[noreturn]] void refuse_event(const char* what) {
  throw InputError(kDamagedBundle, std::string("dp_event ") + what + ".",
                   "Use the bundle as the fit wrote it, or run the fit again.");
}

const EventJson& member(const EventJson& event, const char* name) {
  if (!event.is_object() || !event.contains(name)) refuse_event("lacks a member");
  return event.at(name);
}

bool is_event(const EventJson& event, const char* class_name) {
  return member(event, "class_name") == class_name;
}

double number(const EventJson& event, const char* name) {
  const EventJson& value = member(event, name);
  if (!value.is_number()) refuse_event("has a value that is not a number");
  return value.get<double>();
}

GaussianPhase phase_of(const EventJson& repeated) {
  if (!is_event(repeated, "SelfComposedDpEvent")) refuse_event("has an event of another kind");
  const EventJson& sampled = member(repeated, "event");
  if (!is_event(sampled, "PoissonSampledDpEvent")) refuse_event("has an event of another kind");
  const EventJson& gaussian = member(sampled, "event");
  if (!is_event(gaussian, "GaussianDpEvent")) refuse_event("has an event of another kind");
  const EventJson& count = member(repeated, "count");
  if (!count.is_number_integer()) refuse_event("has a count that is not a whole number");
  return {number(sampled, "sampling_probability"), number(gaussian, "noise_multiplier"),
          count.get<std::int64_t>()};
}

}  // namespace

GaussianRun run_of_dp_event(const std::string& json) {
  constexpr std::size_t kMostPhases = 4096;
  const EventJson root = EventJson::parse(json, nullptr, false);
  if (root.is_discarded() || !is_event(root, "ComposedDpEvent")) {
    refuse_event("is not a tree of events");
  }
  const EventJson& events = member(root, "events");
  if (!events.is_array() || events.size() > kMostPhases) refuse_event("has too many phases");
  GaussianRun run;
  for (const EventJson& event : events) run.push_back(phase_of(event));
  try {
    validate(run);
  } catch (const UsageError&) {
    refuse_event("has values that no run can have");
  }
  return run;
}

}  // namespace dpvi
