#include <dpvi/gradient/lane_bound.hpp>

#include <algorithm>
#include <cmath>

namespace dpvi {
namespace {

// Wide enough for any squared norm in this file.
using Wide = unsigned __int128;

std::uint64_t square_of(std::int64_t value) { return static_cast<std::uint64_t>(value * value); }

// One record's integers within a block.
class IntegerLane {
 public:
  IntegerLane(std::int32_t* integers, std::size_t lane) : first_(integers + lane) {}

  std::int32_t& operator[](std::size_t row) const { return first_[row * kClipLanes]; }

  Wide square_sum(std::size_t rows) const {
    Wide sum = 0;
    for (std::size_t j = 0; j < rows; ++j) sum += square_of((*this)[j]);
    return sum;
  }

 private:
  std::int32_t* first_;
};

// Scales the gradient's integers down to their bound. The margin of 2^-40 covers the rounding of
// the factor and of the products, so the result is within the bound. Privacy does not rest on that
// argument but on the integer check over all coordinates; a lane that fails it becomes zero.
void shrink_lane(const IntegerLane& lane, std::size_t rows, const ClipTarget& target) {
  const double norm = std::sqrt(static_cast<double>(lane.square_sum(rows)));
  const double factor = static_cast<double>(target.gradient_bound()) / norm * (1.0 - 0x1p-40);
  for (std::size_t j = 0; j < rows; ++j) lane[j] = static_cast<std::int32_t>(lane[j] * factor);
  const std::size_t all_rows = rows + (target.marks ? 1 : 0);
  if (lane.square_sum(all_rows) <= square_of(target.integer_bound)) return;
  for (std::size_t j = 0; j < all_rows; ++j) lane[j] = 0;
}

}  // namespace

LaneBound::LaneBound(const ClipTarget& target, const std::int32_t* shortened,
                     const std::int32_t* keep)
    : target_(target), limit_(square_of(target.integer_bound)) {
  if (!target.marks) return;
  const std::int32_t if_shortened = target.marks->shortened;
  const std::int32_t if_not = target.marks->unshortened;
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    marks_[k] = ((shortened[k] & if_shortened) | (~shortened[k] & if_not)) & keep[k];
  }
}

void LaneBound::write_marks(std::int32_t* row) const {
  if (target_.marks) std::copy_n(marks_, kClipLanes, row);
}

std::uint32_t LaneBound::lanes_above(const LaneSquares& squares) const {
  std::uint64_t left[kClipLanes];  // to the limit; the top bit is set if it is exceeded
  std::uint64_t any = 0;
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    left[k] = limit_ - squares.lane[k];
    if (target_.marks) left[k] -= square_of(marks_[k]);
    any |= left[k];
  }
  std::uint32_t above = 0;
  if (any >> 63 == 0) return above;
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    above |= static_cast<std::uint32_t>(left[k] >> 63) << k;
  }
  return above;
}

void LaneBound::shrink(std::uint32_t lanes, std::int32_t* integers, std::size_t rows) const {
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    if ((lanes >> k & 1u) != 0) shrink_lane(IntegerLane(integers, k), rows, target_);
  }
}

void keep_only(std::uint32_t lanes, std::int32_t* keep) {
  for (std::size_t k = 0; k < kClipLanes; ++k) keep[k] = (lanes >> k & 1u) != 0 ? -1 : 0;
}

}  // namespace dpvi
