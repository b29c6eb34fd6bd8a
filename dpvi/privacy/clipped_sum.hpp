#pragma once

#include <cstddef>
#include <memory>

#include <dpvi/privacy/noise_grid.hpp>

namespace dpvi {

// The sum of all clipped record gradients of a step on the integer grid: private data on its way to
// a mechanism.
//
// Guarantee: only a Collective makes one, only a mechanism reads its integers, and a mechanism
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

 private:
  friend class Collective;
  friend class GaussianMechanism;
  friend class UnprotectedMechanism;
  struct Storage;

  explicit ClippedSum(std::unique_ptr<Storage> storage) noexcept;
  Storage& storage();
  const Storage& storage() const;

  std::unique_ptr<Storage> storage_;
};

}  // namespace dpvi
