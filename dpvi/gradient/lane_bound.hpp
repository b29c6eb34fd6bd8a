#pragma once

#include <cstddef>
#include <cstdint>

#include <dpvi/gradient/clip_kernels.hpp>
#include <dpvi/gradient/clip_target.hpp>

namespace dpvi {

// Internal to the clipper: the exact integer check of a block, on which privacy rests, and the last
// correction of a record that fails it.
class LaneBound {
 public:
  // `shortened` and `keep` are the members of a LaneRule: -1 or 0 for each lane.
  LaneBound(const ClipTarget& target, const std::int32_t* shortened, const std::int32_t* keep);

  // Writes the lanes' clip coordinates as one row; writes nothing if the target has no marks.
  void write_marks(std::int32_t* row) const;

  // Lanes whose vector, the clip coordinate included, is longer than the bound. `squares` holds the
  // squared norms of the gradients' integers.
  std::uint32_t lanes_above(const LaneSquares& squares) const;

  // Shrinks the integers of the given lanes until they are within the bound.
  void shrink(std::uint32_t lanes, std::int32_t* integers, std::size_t rows) const;

 private:
  const ClipTarget& target_;
  std::uint64_t limit_;
  std::int32_t marks_[kClipLanes];  // set only if the target has marks
};

// Sets `keep` to -1 for the given lanes and to 0 for the others.
void keep_only(std::uint32_t lanes, std::int32_t* keep);

}  // namespace dpvi
