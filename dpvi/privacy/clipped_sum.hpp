#pragma once

#include <cstddef>
#include <memory>

#include <dpvi/privacy/noise_grid.hpp>

namespace dpvi {

// A sum of clipped record gradients on the integer grid: private data on its way to a mechanism.
//
// Guarantee: only GridClipper makes one, only a mechanism reads its integers, and a mechanism
// consumes it. It cannot be copied. Its storage is an incomplete type elsewhere, so neither a
// stolen member pointer nor an impostor under a friend's name can access the integers
// (tests/compile_fail). A caller who defines that type or casts can: no type protects against
// hostile code in the same process.
class ClippedSum final {
 public:
  ClippedSum(ClippedSum&&) noexcept;
  ClippedSum& operator=(ClippedSum&&) noexcept;
  ClippedSum(const ClippedSum&) = delete;
  ClippedSum& operator=(const ClippedSum&) = delete;
  ~ClippedSum();

  // Public settings. They throw InternalError once the sum has been consumed.
  const NoiseGrid& grid() const;
  double clip_bound() const;
  std::size_t dimension() const;

  // Adds the sum of other records, clipped in the same way, and consumes `other`. The merged
  // integers do not depend on order or grouping.
  void merge(ClippedSum&& other);

 private:
  friend class GridClipper;
  friend class GaussianMechanism;
  friend class UnprotectedMechanism;
  struct Storage;

  explicit ClippedSum(std::unique_ptr<Storage> storage) noexcept;
  Storage& storage();
  const Storage& storage() const;

  std::unique_ptr<Storage> storage_;
};

}  // namespace dpvi
