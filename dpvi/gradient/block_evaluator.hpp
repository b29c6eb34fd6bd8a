#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <dpvi/data/record_table.hpp>
#include <dpvi/gradient/record_prefetch.hpp>
#include <dpvi/tape/lanes/record_tape.hpp>

namespace dpvi {

// Internal to record gradients: the state with which one thread evaluates a few consecutive blocks
// of table rows. T is the precision of the lanes.
template <class T>
class BlockEvaluator {
 public:
  static constexpr std::size_t kLaneCount = RecordTable::kLanes;

  // Both references must outlive this object.
  BlockEvaluator(const RecordTape& tape, const RecordTable& table, std::size_t blocks_at_once);

  const RecordTape& tape() const { return tape_; }
  const RecordTable& table() const { return table_; }
  TapeWorkspace<T>& workspace() { return workspace_; }
  RecordPrefetch& prefetch() { return prefetch_; }

  // Must be called before the first block of every draw.
  void begin_draw(std::span<const double> theta) { tape_.begin_draw(workspace_, theta); }

  // Evaluates log densities and gradients, in rows, of rows of the table. Returns the number of
  // blocks.
  std::size_t evaluate_rows(std::span<const std::uint64_t> table_rows);
  // The same with products left in factored form.
  std::size_t evaluate_factors(std::span<const std::uint64_t> table_rows);

  // The results of one block, or of the first few blocks.
  std::span<T> rows_of(std::size_t block) { return part(rows_.data(), rows_.size(), block); }
  std::span<T> reals_of(std::size_t block) { return part(reals_.data(), reals_.size(), block); }
  std::span<const std::int32_t> own_of(std::size_t block) const {
    return part(own_.data(), own_.size(), block);
  }
  std::span<const T> first_rows(std::size_t blocks) {
    return {rows_.data(), blocks * (rows_.size() / usable_.size())};
  }
  std::span<const std::int32_t> first_own(std::size_t blocks) const {
    return std::span(own_).first(blocks * (own_.size() / usable_.size()));
  }
  T log_density(std::size_t block, std::size_t lane) const {
    return log_density_[block * kLaneCount + lane];
  }

  // The lanes that hold a usable row.
  std::uint32_t usable_lanes(std::size_t block) const { return usable_[block]; }
  // The lanes of these whose log density is finite.
  std::uint32_t counting_lanes(std::size_t block) const;

 private:
  template <class Number>
  std::span<Number> part(Number* all, std::size_t size, std::size_t block) const {
    const std::size_t block_size = size / usable_.size();
    return {all + block * block_size, block_size};
  }

  std::size_t load(std::span<const std::uint64_t> table_rows);

  const RecordTape& tape_;
  const RecordTable& table_;
  RecordPrefetch prefetch_;
  TapeWorkspace<T> workspace_;
  LaneBuffer<T> reals_;
  std::vector<std::int32_t> integers_;
  std::vector<T> log_density_;
  LaneBuffer<T> rows_;  // gradients, in the tape's rows
  std::vector<std::int32_t> own_;
  std::vector<std::uint32_t> usable_;  // for each block
};

}  // namespace dpvi
