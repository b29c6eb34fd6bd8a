#pragma once

#include <span>
#include <string>

#include <dpvi/privacy/event.hpp>

namespace dpvi {

// Returns the run as a tree of Google dp_accounting events, so that a third party can recompute its
// cost. Each node is an object with the fields of that library's DpEvent.to_named_tuple():
// module_name, class_name, then the event's own fields by name:
//   ComposedDpEvent.events[] -> SelfComposedDpEvent{event, count}
//     -> PoissonSampledDpEvent{sampling_probability, event} -> GaussianDpEvent{noise_multiplier}
// Numbers round-trip exactly. Phases without steps are omitted. A DpEvent does not contain the
// neighbouring relation, which is stated elsewhere.
std::string dp_event_json(std::span<const GaussianPhase> run);

}  // namespace dpvi
