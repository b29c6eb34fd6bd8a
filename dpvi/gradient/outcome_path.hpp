#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <dpvi/gradient/clip_path.hpp>
#include <dpvi/gradient/unbiased_centre.hpp>
#include <dpvi/gradient/whole_gradients.hpp>

namespace dpvi {

// Internal to record gradients: conditionally unbiased clipping of an outcome with several values.
// The gradients of all values are evaluated and spread over all coordinates. A record is a row of
// the table. (For two values bound_shares() is faster.)
template <class T>
class OutcomePath final : public ClipPath<T> {
 public:
  OutcomePath(BlockEvaluator<T>& blocks, const ClipTask& task);

 private:
  std::size_t evaluate(std::span<const std::uint64_t> records) override;
  void clip(std::size_t blocks) override;

  const Coordinates& coordinates_;
  UnbiasedCentre centre_;
  std::vector<std::vector<T>> gradients_;    // in working coordinates, for each value
  std::vector<LaneNumbers> log_densities_;   // for each value
  std::vector<const T*> gradient_pointers_;  // to gradients_
  std::vector<T> clipped_;
  std::uint32_t counting_ = 0;
};

}  // namespace dpvi
