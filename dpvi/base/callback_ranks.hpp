#pragma once

#include <dpvi/base/rank_callbacks.h>
#include <dpvi/base/rank_link.hpp>

namespace dpvi {

// Ranks that a host program connects: Spark, Dask, Ray, multiprocessing, or anything else that can
// add vectors of integers.
class CallbackRanks final : public RankLink {
 public:
  // Throws UsageError unless 0 <= rank < size <= 8192 and both functions are given.
  explicit CallbackRanks(const dpvi_rank_callbacks& callbacks);

  int rank() const override { return callbacks_.rank; }
  int size() const override { return callbacks_.size; }
  void sum(std::span<std::int64_t> values) override;
  void broadcast(std::span<std::byte> bytes) override;
  // The host notices that this rank ends.
  void abandon() noexcept override { abandoned_ = true; }

 private:
  void require_success(int code);

  dpvi_rank_callbacks callbacks_;
  bool abandoned_ = false;
};

}  // namespace dpvi
