#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <dpvi/data/record_table.hpp>

namespace dpvi {

// Internal to record gradients: prefetches the records that one thread evaluates next. Calls are
// small and spread between other work, because a processor stalls once it has as many loads
// outstanding as it can track.
class RecordPrefetch {
 public:
  explicit RecordPrefetch(const RecordTable& table) : table_(table) {}

  void set_pending(std::span<const std::uint64_t> records) { pending_ = records; }

  // Prefetches up to `count` of the pending records.
  void next(std::size_t count) {
    const std::size_t taken = std::min(count, pending_.size());
    table_.prefetch(pending_.first(taken));
    pending_ = pending_.subspan(taken);
  }

 private:
  const RecordTable& table_;
  std::span<const std::uint64_t> pending_;
};

}  // namespace dpvi
