#include <dpvi/eval/component_labels.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include <dpvi/gradient/record_gradients.hpp>
#include <dpvi/random/seeded_generator.hpp>
#include <dpvi/random/standard_normal.hpp>

namespace dpvi {
namespace {

// All orders of this many components are compared: 720.
constexpr std::size_t kMostComponents = 6;
constexpr int kPoints = 3;
constexpr double kTolerance = 1e-9;

bool is_entry_by_entry(TransformKind kind) {
  return kind == TransformKind::identity || kind == TransformKind::affine ||
         kind == TransformKind::bounded;
}

// True if the parameter may have one part for each component.
bool has_parts(const ModelParameter& parameter, std::size_t components) {
  const Dims& dims = parameter.value.dims;
  if (dims.count() == 0 || dims[0] != static_cast<std::int64_t>(components)) return false;
  return is_entry_by_entry(parameter.transform) ||
         (parameter.transform == TransformKind::simplex && dims.count() == 1);
}

// Exchanges parts of a parameter in theta; a simplex gets equal weights.
void exchange(const ModelParameter& parameter, std::size_t a, std::size_t b,
              std::vector<double>& theta) {
  const auto first = static_cast<std::size_t>(parameter.first_free);
  if (parameter.transform == TransformKind::simplex) {
    std::fill_n(theta.begin() + parameter.first_free, parameter.free_size, 0.0);
    return;
  }
  const auto offsets = offsets_by_rows(parameter.value.type, parameter.value.dims);
  const std::size_t inner = offsets.size() / static_cast<std::size_t>(parameter.value.dims[0]);
  for (std::size_t j = 0; j < inner; ++j) {
    std::swap(theta[first + static_cast<std::size_t>(offsets[a * inner + j])],
              theta[first + static_cast<std::size_t>(offsets[b * inner + j])]);
  }
}

// Densities of the prior and of each record.
class Densities {
 public:
  Densities(const RecordModel& model, std::span<const MockRecord> records)
      : model_(model), table_(model.prepare(records)), gradients_(model.tape(), table_, 1) {}

  std::vector<double> at(std::span<const double> theta) {
    std::vector<double> values = {model_.prior().value(theta)};
    for (std::uint64_t i = 0; i < gradients_.record_count(); ++i) {
      values.push_back(gradients_.plain_value(theta, {&i, 1}).value);
    }
    return values;
  }

 private:
  const RecordModel& model_;
  RecordTable table_;
  RecordGradients gradients_;
};

bool are_equal(const std::vector<double>& a, const std::vector<double>& b) {
  bool finite = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!std::isfinite(a[i]) && !std::isfinite(b[i])) continue;
    finite = true;
    if (!(std::abs(a[i] - b[i]) <= kTolerance * (1.0 + std::abs(a[i])))) return false;
  }
  return finite;
}

bool are_exchangeable(const RecordModel& model, std::size_t components, Densities& densities) {
  SeededStream stream = SeededGenerator(1).stream({.label = StreamLabel::initial_value, .step = 4});
  std::vector<double> theta(model.dimension());
  for (int point = 0; point < kPoints; ++point) {
    for (double& entry : theta) entry = 0.7 * standard_normal(stream);
    std::vector<double> before = theta, after = theta;
    bool parts = false;
    for (const ModelParameter& parameter : model.stan().parameters) {
      if (!has_parts(parameter, components)) continue;
      parts = parts || parameter.transform != TransformKind::simplex;
      exchange(parameter, 0, 0, before);
      exchange(parameter, 0, components - 1, after);
    }
    if (!parts || !are_equal(densities.at(before), densities.at(after))) return false;
  }
  return true;
}

}  // namespace

ComponentLabels ComponentLabels::find(const RecordModel& model,
                                      std::span<const MockRecord> records) {
  ComponentLabels labels;
  std::optional<Densities> densities;
  for (std::size_t components = 2; components <= kMostComponents; ++components) {
    const auto& parameters = model.stan().parameters;
    const bool possible = std::ranges::any_of(
        parameters, [&](const auto& one) { return has_parts(one, components); });
    if (!possible) continue;
    if (!densities) densities.emplace(model, records);
    if (!are_exchangeable(model, components, *densities)) continue;
    labels.components_ = components;
    std::size_t first = 0;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const auto size = static_cast<std::size_t>(model.outputs()[i].size());
      if (has_parts(parameters[i], components)) {
        // The first index varies fastest.
        for (std::size_t at = first; at < first + size; at += components) {
          labels.places_.emplace_back(components);
          std::iota(labels.places_.back().begin(), labels.places_.back().end(), at);
        }
      }
      first += size;
    }
    return labels;
  }
  return labels;
}

std::vector<std::size_t> ComponentLabels::nearest_order(std::span<const double> values,
                                                        std::span<const double> truth,
                                                        std::span<const double> scales) const {
  std::vector<std::size_t> order(components_), best;
  std::iota(order.begin(), order.end(), std::size_t{0});
  best = order;
  double least = std::numeric_limits<double>::infinity();
  do {
    double distance = 0.0;
    for (const std::vector<std::size_t>& places : places_) {
      for (std::size_t k = 0; k < components_; ++k) {
        const double scale = scales[places[k]];
        if (!(scale > 0.0 && std::isfinite(scale))) continue;
        distance += std::pow((values[places[order[k]]] - truth[places[k]]) / scale, 2);
      }
    }
    if (distance < least) {
      least = distance;
      best = order;
    }
  } while (std::ranges::next_permutation(order).found);
  return best;
}

std::vector<double> ComponentLabels::reordered(std::span<const double> values,
                                               std::span<const std::size_t> order) const {
  std::vector<double> result(values.begin(), values.end());
  for (const std::vector<std::size_t>& places : places_) {
    for (std::size_t k = 0; k < components_; ++k) result[places[k]] = values[places[order[k]]];
  }
  return result;
}

}  // namespace dpvi
