#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <dpvi/gradient/clip_path.hpp>
#include <dpvi/gradient/simulated_outcomes.hpp>
#include <dpvi/gradient/unbiased_centre.hpp>

namespace dpvi {

// Internal to record gradients: conditionally unbiased clipping with simulated outcomes.
//
// The record's own outcome and K simulated ones are exchangeable if the program is right. The
// centre makes the sum of all K + 1 clipped gradients zero, so the mean of each of them is zero,
// for every K (unbiased_centre.hpp, with equal probabilities). A record may have several rows:
// every row gets outcomes of its own, and the gradients of the rows are summed for each of the
// K + 1 before anything is clipped.
//
// Guarantee: a record's integers depend on its own rows, on the step, on theta and on a secret key
// alone, whatever is simulated.
template <class T>
class SimulatedPath final : public ClipPath<T> {
 public:
  SimulatedPath(BlockEvaluator<T>& blocks, const ClipTask& task);

 private:
  std::size_t evaluate(std::span<const std::uint64_t> records) override;
  void clip(std::size_t blocks) override;
  void add_row(std::span<const std::uint64_t> table_rows, std::uint64_t place);
  // Adds the gradient that was evaluated last to that of an outcome, in these lanes.
  void add_gradient(std::size_t outcome, std::uint32_t lanes);

  const Coordinates& coordinates_;
  UnbiasedCentre centre_;
  std::unique_ptr<OutcomeLanes> simulated_;
  // For the record's own outcome and each simulated one: the gradient, and 0 or minus infinity.
  std::vector<std::vector<T>> gradients_;
  std::vector<LaneNumbers> log_weights_;
  std::vector<const T*> gradient_pointers_;  // to gradients_
  std::vector<double> reals_;                // of one draw
  std::vector<std::int32_t> integers_;
  std::vector<T> clipped_;
  std::uint32_t counting_ = 0;
};

}  // namespace dpvi
