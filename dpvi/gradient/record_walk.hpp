#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <dpvi/base/floating_point_mode.hpp>
#include <dpvi/base/thread_team.hpp>
#include <dpvi/data/record_table.hpp>
#include <dpvi/gradient/record_prefetch.hpp>
#include <dpvi/gradient/record_window.hpp>

namespace dpvi {

// Internal to record gradients: the walk of a thread team over chosen records. A worker takes a
// chunk of records at a time, and evaluates a few blocks of the chunk at once. If the records are
// not in memory, a worker loads its chunk into its window.
class RecordWalk {
 public:
  using Windows = std::vector<std::unique_ptr<RecordWindow>>;

  RecordWalk(const RecordTable& table, std::size_t blocks_at_once, int threads)
      : table_(table),
        chunk_size_(chunk_size(table)),
        at_once_(RecordTable::kLanes * blocks_at_once),
        team_(threads) {}
  // With one window for each worker, which has the size of a chunk.
  RecordWalk(Windows windows, std::size_t blocks_at_once)
      : windows_(std::move(windows)),
        table_(windows_.front()->table()),
        chunk_size_(chunk_size(table_)),
        at_once_(RecordTable::kLanes * blocks_at_once),
        team_(static_cast<int>(windows_.size())) {}

  // The table that a worker evaluates.
  const RecordTable& table_of(std::size_t worker) const {
    return windows_.empty() ? table_ : windows_[worker]->table();
  }

  std::size_t chunk_count(std::size_t records) const {
    return (records + chunk_size_ - 1) / chunk_size_;
  }

  std::size_t worker_limit() const { return static_cast<std::size_t>(team_.size()); }

  // The number of workers that run() starts. Waking other threads costs more than evaluating one
  // chunk.
  std::size_t worker_count(std::size_t records) const {
    return records <= chunk_size_ ? 1 : worker_limit();
  }

  // Calls job(worker, chunks) once for each worker, in its own thread and with the standard
  // floating-point mode. The job must call chunks(prefetch, each), which calls
  // each(chunk, records) for all blocks of the chunks that fall to the worker. The records are
  // numbered as in table_of(worker). The calls for one chunk come in order.
  template <class Job>
  void run(std::span<const std::uint64_t> records, const Job& job) {
    if (windows_.empty()) table_.prefetch(part_of(records, 0, ahead()));
    std::atomic<std::size_t> next = 0;
    const auto work = [&](int worker) {
      const StandardFloatingPoint standard;
      job(static_cast<std::size_t>(worker), [&](RecordPrefetch& prefetch, const auto& each) {
        if (windows_.empty()) {
          walk_chunks(records, next, prefetch, each);
        } else {
          walk_windows(records, next, *windows_[static_cast<std::size_t>(worker)], each);
        }
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

  template <class EachBlocks>
  void walk_windows(std::span<const std::uint64_t> records, std::atomic<std::size_t>& next,
                    RecordWindow& window, const EachBlocks& each) const {
    std::vector<std::uint64_t> places(chunk_size_);
    std::iota(places.begin(), places.end(), std::uint64_t{0});
    while (true) {
      const std::size_t chunk = next.fetch_add(1);
      const auto chosen = part_of(records, chunk * chunk_size_, chunk_size_);
      if (chosen.empty()) return;
      window.load(chosen);
      const auto loaded = std::span<const std::uint64_t>(places).first(chosen.size());
      for (std::size_t at = 0; at < loaded.size(); at += at_once_) {
        each(chunk, part_of(loaded, at, at_once_));
      }
    }
  }

  Windows windows_;  // empty if the records are in memory
  const RecordTable& table_;
  std::size_t chunk_size_;
  std::size_t at_once_;
  ThreadTeam team_;
};

}  // namespace dpvi
