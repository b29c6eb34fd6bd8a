#include <dpvi/optim/distance_scaled_steps.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace dpvi {
namespace {

// Keeps a diverging parameter finite.
constexpr double kLongestWay = 1e6;

}  // namespace

DistanceScaledSteps::DistanceScaledSteps(std::span<const double> start)
    : start_(start.begin(), start.end()), longest_way_(start.size(), 1.0) {}

void DistanceScaledSteps::lengthen(std::span<const double> before, std::span<double> after) {
  assert(before.size() == after.size() && start_.size() <= after.size());
  for (std::size_t i = 0; i < start_.size(); ++i) {
    const double way = std::abs(before[i] - start_[i]);
    longest_way_[i] = std::clamp(way, longest_way_[i], kLongestWay);
    after[i] = before[i] + longest_way_[i] * (after[i] - before[i]);
  }
}

}  // namespace dpvi
