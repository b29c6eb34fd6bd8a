#pragma once

#include <dpvi/gradient/clip_path.hpp>
#include <dpvi/gradient/whole_gradients.hpp>

namespace dpvi {

// Internal to record gradients: records of several rows. The gradients of a record's rows are
// summed, one row of every record of a block at a time, and clipped as one gradient.
template <class T>
class UnitPath final : public ClipPath<T> {
 public:
  UnitPath(BlockEvaluator<T>& blocks, const ClipTask& task);

 private:
  std::size_t evaluate(std::span<const std::uint64_t> records) override;
  void clip(std::size_t blocks) override;

  WholeGradients<T> sums_;
  std::uint32_t counting_ = 0;  // lanes of records with at least one row that counts
};

}  // namespace dpvi
