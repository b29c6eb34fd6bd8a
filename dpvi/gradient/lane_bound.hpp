#pragma once

#include <cstddef>
#include <cstdint>

#include <dpvi/gradient/clip_kernels.hpp>
#include <dpvi/gradient/clip_target.hpp>

namespace dpvi {

// Internal to the clipper: the exact check of a block's integers, on which privacy rests, and the
// last rescue of a record that fails it.
class LaneBound {
 public:
  // Which lanes are shortened, and which are kept, as a rule has them: -1 or 0.
  LaneBound(const ClipTarget& target, const std::int32_t* shortened, const std::int32_t* keep);

  // The lanes' clip coordinates, one row; nothing where the target has none.
  void write_marks(std::int32_t* row) const;

  // Lanes whose vector, the clip coordinate included, is longer than the bound, given the squared
  // length of their gradients' integers.
  std::uint32_t lanes_above(const LaneSquares& squares) const;

  // Shrinks the integers of the lanes named onto their bound.
  void shrink(std::uint32_t lanes, std::int32_t* integers, std::size_t rows) const;

 private:
  const ClipTarget& target_;
  std::uint64_t limit_;
  std::int32_t marks_[kClipLanes];  // where the target has any
};

// -1 for the lanes named, 0 for the others.
void keep_only(std::uint32_t lanes, std::int32_t* keep);

}  // namespace dpvi
