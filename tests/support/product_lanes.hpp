#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include <dpvi/gradient/sweep_kernels.hpp>
#include <tests/support/lane_block.hpp>

namespace dpvi {

// The sums of a block, added up over kSumParts parts per row and without the rounders.
inline std::vector<std::int64_t> sums_of_parts(const std::vector<std::int64_t>& parts) {
  constexpr std::uint64_t kRounders = kRoundersPerBlock * static_cast<std::uint64_t>(kRounderBits);
  std::vector<std::int64_t> sums(parts.size() / kSumParts, 0);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::uint64_t part = static_cast<std::uint64_t>(parts[i]) - kRounders;
    sums[i / kSumParts] += static_cast<std::int64_t>(part);
  }
  return sums;
}

// Rows 0 and 1 are written out. Two products of `count` terms each follow, with one written row
// between them. The second product has centres; both have scales if `scaled` is set.
template <class T>
class ProductLanesOf {
 public:
  ProductLanesOf(std::size_t count, bool scaled)
      : count_(count), block_(kClipLanes * rows()), columns_(kClipLanes * count), scales_(count) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    for (std::size_t i = 0; i < count; ++i) {
      centres_.push_back(static_cast<T>(normal(random)));
      scales_[i] = static_cast<T>(std::exp(normal(random)));
    }
    const T* scales = scaled ? scales_.data() : nullptr;
    const auto step = static_cast<std::ptrdiff_t>(kClipLanes);
    runs_ = {{2, count, columns_.data(), step, nullptr, scales},
             {3 + count, count, columns_.data(), step, centres_.data(), scales}};
  }

  std::size_t rows() const { return 3 + 2 * count_; }

  // A record: its columns, its written rows and its two factors.
  struct Record {
    std::vector<T> columns, written, factors;
  };

  void put(std::size_t lane, const Record& record) {
    for (std::size_t i = 0; i < count_; ++i) columns_[i * kClipLanes + lane] = record.columns[i];
    entry(0, lane) = record.written[0];
    entry(1, lane) = record.written[1];
    entry(2 + count_, lane) = record.written[2];
    entry(2, lane) = record.factors[0];
    entry(3 + count_, lane) = record.factors[1];
    active_ |= 1u << lane;
  }

  // Clips each lane alone, with the other lanes filled: in one sweep if the sweep accepts the lane,
  // otherwise written out.
  std::vector<std::vector<std::int64_t>> clip(const SweepKernels<T>& kernels,
                                              const ClipTarget& target) {
    const std::optional<SweepRule> rule = sweep_rule(target);
    swept_ = 0;
    std::vector<std::vector<std::int64_t>> lanes(kClipLanes);
    for (std::size_t k = 0; k < kClipLanes; ++k) {
      if ((active_ >> k & 1u) == 0) continue;
      SweptLanes swept;
      if (rule) lanes[k] = sweep(kernels, *rule, 1u << k, swept);
      if (swept.within == 0) {
        EXPECT_TRUE(all_zero(lanes[k])) << "a lane that was left is in the sums";
        lanes[k] = written_out(target, k);
        continue;
      }
      EXPECT_EQ(swept.within, 1u << k);
      swept_ |= 1u << k;
      if (!target.marks) continue;
      lanes[k].push_back(swept.shortened != 0 ? target.marks->shortened
                                              : target.marks->unshortened);
    }
    return lanes;
  }

  // Returns the sums of the rows over the given lanes.
  std::vector<std::int64_t> sweep(const SweepKernels<T>& kernels, const SweepRule& rule,
                                  std::uint32_t lanes, SweptLanes& swept) const {
    std::vector<std::int64_t> parts(kSumParts * rows(), 0);
    const ProductBlock<T> block{block_.data(), rows(), runs_.data(), runs_.size()};
    add_within_bound(kernels, rule, std::span(&block, 1), &lanes, parts.data(), &swept);
    return sums_of_parts(parts);
  }

  std::uint32_t active() const { return active_; }

  // Clips the same records with all products written out.
  std::vector<std::vector<std::int32_t>> clip_written_out(const ClipTarget& target) const {
    std::vector<T> written = block_;
    multiply_out(runs_.data(), runs_.size(), written.data());
    ClipLanes<T> lanes(rows(), T{0});
    for (std::size_t k = 0; k < kClipLanes; ++k) {
      if ((active_ >> k & 1u) == 0) continue;
      std::vector<T> record(rows());
      for (std::size_t j = 0; j < rows(); ++j) record[j] = written[j * kClipLanes + k];
      lanes.put(k, record);
    }
    return lanes.clip(clip_kernels<T>(), target);
  }

  std::uint32_t swept() const { return swept_; }

 private:
  std::vector<std::int64_t> written_out(const ClipTarget& target, std::size_t lane) const {
    std::vector<T> written = block_;
    multiply_out(runs_.data(), runs_.size(), written.data());
    std::vector<T> record(rows());
    for (std::size_t j = 0; j < rows(); ++j) record[j] = written[j * kClipLanes + lane];
    const std::vector<std::int32_t> integers = clip_alone(target, record);
    return {integers.begin(), integers.end()};
  }

  T& entry(std::size_t row, std::size_t lane) { return block_[row * kClipLanes + lane]; }

  std::size_t count_;
  std::vector<T> block_, columns_, centres_, scales_;
  std::vector<ProductRun<T>> runs_;
  std::uint32_t active_ = 0, swept_ = 0;
};

}  // namespace dpvi
