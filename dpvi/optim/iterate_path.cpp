#include <dpvi/optim/iterate_path.hpp>

#include <algorithm>

namespace dpvi {

IteratePath::IteratePath(std::int64_t steps, std::size_t size) : steps_(steps) {
  if (size == 0) return;
  std::size_t affordable = kMostNumbers / size;
  if (affordable < kFewestPoints) {
    constexpr std::size_t kKept = kMostNumbers / kMostPoints;
    for (std::size_t k = 0; k < kKept; ++k) parameters_.push_back(k * size / kKept);
    affordable = kMostPoints;
  }
  points_ = std::min(steps, static_cast<std::int64_t>(std::min(affordable, kMostPoints)));
}

void IteratePath::add(std::int64_t step, std::span<const double> iterate) {
  const auto kept = static_cast<std::int64_t>(kept_.size());
  // The last step of each of `points_` equal parts is kept.
  if (kept >= points_ || step * points_ < (kept + 1) * steps_) return;
  kept_steps_.push_back(step);
  if (parameters_.empty()) {
    kept_.emplace_back(iterate.begin(), iterate.end());
    return;
  }
  kept_.emplace_back();
  for (const std::size_t place : parameters_) kept_.back().push_back(iterate[place]);
}

}  // namespace dpvi
