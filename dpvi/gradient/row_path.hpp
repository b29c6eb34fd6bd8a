#pragma once

#include <dpvi/gradient/clip_path.hpp>

namespace dpvi {

// Internal to record gradients: clips gradients as the tape writes them, in rows, a few blocks at
// once. A record is a row of the table, and the coordinates must be diagonal.
template <class T>
class RowPath final : public ClipPath<T> {
 public:
  RowPath(BlockEvaluator<T>& blocks, const ClipTask& task);

 private:
  std::size_t evaluate(std::span<const std::uint64_t> records) override;
  void clip(std::size_t blocks) override;

  const Coordinates& coordinates_;
  std::uint32_t lanes_[kStepBlocks] = {};  // for each block, the lanes that count
};

}  // namespace dpvi
