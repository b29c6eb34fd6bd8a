#include <dpvi/fit/mock/component_labels.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace dpvi {
namespace {

constexpr std::size_t kMostPermuted = 6;

// One list of numbers for each component, in units of the scales.
using Places = std::vector<std::vector<double>>;

// Appends the entries of one group to the places of the components.
void add_group(Places& places, const ComponentEntries& group, std::span<const double> theta,
               std::span<const double> scales) {
  const double scale = scales[group.entries.front()];
  double sum = 0.0;
  for (std::size_t k = 0; k < group.entries.size(); ++k) {
    const double entry = theta[group.entries[k]];
    sum += group.ordered && k > 0 ? std::exp(entry) : entry;
    places[k].push_back((group.ordered ? sum : entry) / scale);
    if (!group.ordered) sum = 0.0;
  }
}

Places places_of(std::span<const double> theta, std::span<const ComponentEntries> groups,
                 std::size_t count, std::span<const double> scales) {
  Places places(count);
  for (const ComponentEntries& group : groups) {
    if (group.entries.size() == count) add_group(places, group, theta, scales);
  }
  return places;
}

double apart(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

double apart_under(const Places& a, const Places& b, const std::vector<std::size_t>& labels) {
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    largest = std::max(largest, apart(a[k], b[labels[k]]));
  }
  return largest;
}

double one_after_the_other(const Places& a, Places b) {
  double largest = 0.0;
  for (const std::vector<double>& place : a) {
    const auto nearest = std::ranges::min_element(
        b, {}, [&](const std::vector<double>& other) { return apart(place, other); });
    largest = std::max(largest, apart(place, *nearest));
    b.erase(nearest);
  }
  return largest;
}

}  // namespace

double distance_of_components(std::span<const double> a, std::span<const double> b,
                              std::span<const ComponentEntries> components,
                              std::span<const double> scales) {
  std::size_t count = 0;
  for (const ComponentEntries& group : components) count = std::max(count, group.entries.size());
  const Places left = places_of(a, components, count, scales);
  const Places right = places_of(b, components, count, scales);
  if (count > kMostPermuted) return one_after_the_other(left, right);
  std::vector<std::size_t> labels(count);
  std::iota(labels.begin(), labels.end(), 0u);
  double least = std::numeric_limits<double>::infinity();
  do {
    least = std::min(least, apart_under(left, right, labels));
  } while (std::next_permutation(labels.begin(), labels.end()));
  return least;
}

}  // namespace dpvi
