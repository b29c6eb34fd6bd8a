#pragma once

#include <cstddef>
#include <memory>

#include <dpvi/privacy/noise_grid.hpp>

namespace dpvi {

// A sum of clipped record gradients on the integer grid: private data on its way to a mechanism.
//
// Guarantee: only GridClipper makes one, only a mechanism reads its integers, and a mechanism uses
// it up. It cannot be copied. What it holds is an incomplete type to everybody else, so that
// neither a stolen member pointer nor an impostor under a friend's name gets at the integers
// (tests/compile_fail). A caller who defines that type himself, or casts, does: no type holds code
// in the same process that is bent on it.
class ClippedSum final {
 public:
  ClippedSum(ClippedSum&&) noexcept;
  ClippedSum& operator=(ClippedSum&&) noexcept;
  ClippedSum(const ClippedSum&) = delete;
  ClippedSum& operator=(const ClippedSum&) = delete;
  ~ClippedSum();

  // Public settings; throw InternalError once the sum has been used up.
  const NoiseGrid& grid() const;
  double clip_bound() const;
  std::size_t dimension() const;

  // Adds the sum of other records, clipped in the same way, and uses `other` up. In any order and
  // grouping the merged integers are the same.
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
