#include <dpvi/gradient/clip_target.hpp>

#include <cmath>

namespace dpvi {
namespace {

// The largest integer whose square is at most `value`, which must be at most 2^60.
std::int64_t whole_root(std::int64_t value) {
  auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(value)));
  while (root * root > value) --root;
  while ((root + 1) * (root + 1) <= value) ++root;
  return root;
}

ClipCoordinateValues marks_on_grid(const ClipCoordinate& coordinate, std::int64_t integer_bound) {
  const double share = coordinate.unshortened_share;
  const double size = std::floor(coordinate.size * static_cast<double>(integer_bound));
  ClipCoordinateValues marks;
  marks.shortened = static_cast<std::int32_t>(size);
  marks.unshortened = -static_cast<std::int32_t>(std::floor(size * (1.0 - share) / share));
  const std::int64_t mark = marks.shortened;
  marks.gradient_bound = whole_root(integer_bound * integer_bound - mark * mark);
  return marks;
}

}  // namespace

ClipTarget clip_target(const ClipSettings& settings) {
  ClipTarget target{.integer_bound = settings.grid.integer_bound(),
                    .clip_bound = settings.clip_bound,
                    .dimension = settings.dimension};
  target.normalise = settings.rule == ClipRule::normalise;
  if (settings.coordinate) {
    target.marks = marks_on_grid(*settings.coordinate, target.integer_bound);
  }
  return target;
}

}  // namespace dpvi
