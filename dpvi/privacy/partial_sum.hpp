#pragma once

#include <memory>

namespace dpvi {

// One worker's part of a step's sum: clipped record gradients on the integer grid, before the parts
// are reduced to the ClippedSum that a mechanism accepts.
//
// Guarantee: only GridClipper makes one, only a Collective reads its integers, and a Collective
// consumes it. It cannot be copied. See ClippedSum for the limits of this protection.
class PartialSum final {
 public:
  PartialSum(PartialSum&&) noexcept;
  PartialSum& operator=(PartialSum&&) noexcept;
  PartialSum(const PartialSum&) = delete;
  PartialSum& operator=(const PartialSum&) = delete;
  ~PartialSum();

 private:
  friend class GridClipper;
  friend class Collective;
  struct Storage;

  explicit PartialSum(std::unique_ptr<Storage> storage) noexcept;
  // Throws InternalError once the sum has been consumed.
  Storage& storage();

  std::unique_ptr<Storage> storage_;
};

}  // namespace dpvi
