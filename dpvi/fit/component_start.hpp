#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <dpvi/fit/record_model.hpp>

namespace dpvi {

// Gradients by theta of some made-up records, one after the other.
using MockGradients = std::function<std::vector<double>(std::span<const double> theta)>;

// A start around which nothing tells a mixture's components apart.
struct EqualStart {
  std::vector<double> theta;
  std::vector<double> reach;  // how far from there, entry by entry, an answer may well be
};

// A fit whose components start alike keeps them alike: every record draws all of them the same way.
// Where entries of one parameter are found to be so (made-up records' gradients by them are
// parallel once the entries are equal), they are spread as the prior has them, within reach: each
// at its own median where the prior tells them apart, else each at its own quantile. Locations are
// spread; bounded entries (scales, rates) only where no location is. Nothing if there is nothing to
// tell apart. Public: depends on program, made-up records and a fixed seed alone.
std::optional<std::vector<double>> start_with_components_apart(const RecordModel& model,
                                                               const MockGradients& gradients,
                                                               const EqualStart& around);

}  // namespace dpvi
