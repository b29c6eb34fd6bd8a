#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <dpvi/fit/mock/component_labels.hpp>
#include <dpvi/fit/prepare/record_model.hpp>

namespace dpvi {

// Returns the gradients of some mock records with respect to theta, concatenated.
using MockGradients = std::function<std::vector<double>(std::span<const double> theta)>;

// A start that does not distinguish the components of a mixture.
struct EqualStart {
  std::vector<double> theta;
  std::vector<double> reach;  // plausible distance to the optimum, per entry
};

// A start with the components apart, and what belongs to each of them.
struct SeparatedStart {
  std::vector<double> theta;
  std::vector<ComponentEntries> components;
};

// Separates the components of a mixture. Components that start equal stay equal, because every
// record moves all of them in the same direction. Entries of one parameter are such components if
// the gradients of mock records with respect to them are parallel once the entries are equal.
//
// They are spread as in the prior, within reach: each at its own median if the prior distinguishes
// them, else each at its own quantile. Locations are spread; bounded entries (scales, rates) only
// if there is no location. Returns nullopt if there are no components to separate. The result is
// public: it depends only on the program, mock records and a fixed seed.
std::optional<SeparatedStart> start_with_components_separated(const RecordModel& model,
                                                              const MockGradients& gradients,
                                                              const EqualStart& around);

}  // namespace dpvi
