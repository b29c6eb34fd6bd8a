#pragma once

#include <cstdint>
#include <vector>

#include <dpvi/gradient/clip_path.hpp>

namespace dpvi {

// Internal to record gradients: the way of a release of counts. A record's vector has one equal
// entry in each histogram, at the record's bin, so that its norm is the clip bound. The bins are
// the last integers of a stored row. A record without a bin in every histogram counts as zero. No
// density is evaluated. A record is a row of the table.
template <class T>
class CountPath final : public ClipPath<T> {
 public:
  CountPath(BlockEvaluator<T>& blocks, const ClipTask& task);

 private:
  struct Block {
    std::uint32_t lanes = 0;
    std::vector<std::int32_t> bins;
  };

  std::size_t evaluate(std::span<const std::uint64_t> records) override;
  void clip(std::size_t blocks) override;
  bool has_all_bins(const Block& block, std::size_t lane) const;

  std::size_t histograms_, bins_of_one_;
  T entry_;
  std::vector<T> reals_;
  std::vector<std::int32_t> integers_;
  std::vector<Block> loaded_;
  std::vector<T> vectors_;  // of one block
};

}  // namespace dpvi
