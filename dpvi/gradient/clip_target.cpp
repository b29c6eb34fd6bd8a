#include <dpvi/gradient/clip_target.hpp>

#include <algorithm>
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
  const double larger = coordinate.larger_share();
  marks.shortened = static_cast<std::int32_t>(std::floor(size * (share / larger)));
  marks.unshortened = -static_cast<std::int32_t>(std::floor(size * (1.0 - share) / larger));
  const std::int64_t mark = std::max(marks.shortened, -marks.unshortened);
  marks.gradient_bound = whole_root(integer_bound * integer_bound - mark * mark);
  return marks;
}

// The norm of v v' is the square of the norm of v, so v gets the root of the grid's bound.
ClipTarget information_target(const ClipSettings& settings) {
  ClipTarget target{.integer_bound = whole_root(settings.grid.integer_bound()),
                    .clip_bound = settings.clip_bound,
                    .dimension = settings.dimension};
  const double constant = std::floor(kCountShare * static_cast<double>(target.integer_bound));
  const auto mark = static_cast<std::int32_t>(constant);
  const std::int64_t square = target.integer_bound * target.integer_bound;
  target.marks = {.shortened = mark,
                  .unshortened = mark,
                  .gradient_bound = whole_root(square - std::int64_t{mark} * mark)};
  return target;
}

}  // namespace

ClipTarget clip_target(const ClipSettings& settings) {
  if (settings.sum == ReleasedSum::information) return information_target(settings);
  ClipTarget target{.integer_bound = settings.grid.integer_bound(),
                    .clip_bound = settings.clip_bound,
                    .dimension = settings.dimension};
  if (settings.sum == ReleasedSum::counts) return target;
  target.normalise = settings.rule == ClipRule::normalise;
  if (settings.coordinate) {
    target.marks = marks_on_grid(*settings.coordinate, target.integer_bound);
  }
  return target;
}

double count_of_one_record(const NoiseGrid& grid, double clip_bound) {
  const ClipTarget target = information_target(
      {.grid = grid, .clip_bound = clip_bound, .dimension = 1, .sum = ReleasedSum::information});
  const double constant = static_cast<double>(target.marks->shortened) /
                          static_cast<double>(target.integer_bound) * clip_bound;
  return constant * constant;
}

}  // namespace dpvi
