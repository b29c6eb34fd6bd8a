#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include <dpvi/base/floating_point_mode.hpp>
#include <dpvi/base/thread_team.hpp>
#include <dpvi/data/record_table.hpp>
#include <dpvi/gradient/record_prefetch.hpp>

namespace dpvi {

// Internal to record gradients: the walk of a thread team over chosen records. A worker takes a
// chunk of records at a time, and evaluates a few blocks of the chunk at once.
class RecordWalk {
 public:
  RecordWalk(const RecordTable& table, std::size_t blocks_at_once, int threads)
      : table_(table),
        chunk_size_(chunk_size(table)),
        at_once_(RecordTable::kLanes * blocks_at_once),
        team_(threads) {}

  std::size_t chunk_count(std::size_t records) const {
    return (records + chunk_size_ - 1) / chunk_size_;
  }

  // The number of workers that run() starts. Waking other threads costs more than evaluating one
  // chunk.
  std::size_t worker_count(std::size_t records) const {
    return records <= chunk_size_ ? 1 : static_cast<std::size_t>(team_.size());
  }

  // Calls job(worker, chunks) once for each worker, in its own thread and with the standard
  // floating-point mode. The job must call chunks(prefetch, each), which calls
  // each(chunk, records) for all blocks of the chunks that fall to the worker. The calls for one
  // chunk come in order.
  template <class Job>
  void run(std::span<const std::uint64_t> records, const Job& job) {
    table_.prefetch(part_of(records, 0, ahead()));
    std::atomic<std::size_t> next = 0;
    const auto work = [&](int worker) {
      const StandardFloatingPoint standard;
      job(static_cast<std::size_t>(worker), [&](RecordPrefetch& prefetch, const auto& each) {
        walk_chunks(records, next, prefetch, each);
      });
    };
    if (worker_count(records.size()) == 1) {
      work(0);
    } else {
      team_.run(work);
    }
  }

 private:
  // Number of records that a worker takes at a time; smaller if records have many rows.
  static std::size_t chunk_size(const RecordTable& table) {
    constexpr std::uint64_t kBlocks = 32;
    const std::uint64_t rows = table.row_count() / std::max<std::uint64_t>(table.record_count(), 1);
    return RecordTable::kLanes *
           std::max<std::uint64_t>(kBlocks / std::max<std::uint64_t>(rows, 1), 1);
  }

  // Up to `count` records, starting at `first`.
  static std::span<const std::uint64_t> part_of(std::span<const std::uint64_t> records,
                                                std::size_t first, std::size_t count) {
    const auto rest = records.subspan(std::min(first, records.size()));
    return rest.first(std::min(count, rest.size()));
  }

  // Number of records that are prefetched while others are evaluated.
  std::size_t ahead() const {
    constexpr std::size_t kRecordsAhead = 2 * RecordTable::kLanes;
    return std::max(at_once_, kRecordsAhead);
  }

  template <class EachBlocks>
  void walk_chunks(std::span<const std::uint64_t> records, std::atomic<std::size_t>& next,
                   RecordPrefetch& prefetch, const EachBlocks& each) const {
    while (true) {
      const std::size_t chunk = next.fetch_add(1);
      if (chunk * chunk_size_ >= records.size()) return;
      const std::size_t end = std::min((chunk + 1) * chunk_size_, records.size());
      for (std::size_t at = chunk * chunk_size_; at < end; at += at_once_) {
        prefetch.set_pending(part_of(records, at + ahead(), at_once_));
        each(chunk, part_of(records.first(end), at, at_once_));
        prefetch.next(at_once_);
      }
    }
  }

  const RecordTable& table_;
  std::size_t chunk_size_;
  std::size_t at_once_;
  ThreadTeam team_;
};

}  // namespace dpvi
