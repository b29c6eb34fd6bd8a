#include <dpvi/optim/iterate_path.hpp>

#include <algorithm>

namespace dpvi {

IteratePath::IteratePath(std::int64_t steps, std::size_t size) : steps_(steps) {
  const std::size_t affordable = size == 0 ? 0 : kMostNumbers / size;
  if (affordable < kFewestPoints) return;
  points_ = std::min(steps, static_cast<std::int64_t>(std::min(affordable, kMostPoints)));
}

void IteratePath::add(std::int64_t step, std::span<const double> iterate) {
  const auto kept = static_cast<std::int64_t>(kept_.size());
  // The last step of each of `points_` equal parts is kept.
  if (kept >= points_ || step * points_ < (kept + 1) * steps_) return;
  kept_steps_.push_back(step);
  kept_.emplace_back(iterate.begin(), iterate.end());
}

}  // namespace dpvi
