#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <dpvi/data/record_table.hpp>
#include <dpvi/gradient/product_run.hpp>
#include <dpvi/gradient/record_prefetch.hpp>
#include <dpvi/gradient/simulated_outcomes.hpp>
#include <dpvi/tape/lanes/outcome_columns.hpp>
#include <dpvi/tape/lanes/record_tape.hpp>

namespace dpvi {

// The law of a row's outcome, as conditionally unbiased clipping uses it: values that are
// enumerated, or draws. At most one of the two is set.
struct RowLaw {
  const OutcomeColumns* enumerated = nullptr;
  const SimulatedOutcomes* simulated = nullptr;
};

// Internal to record gradients: the state with which one thread evaluates a few consecutive blocks
// of table rows. T is the precision of the lanes. If the rows have an outcome, they can also be
// evaluated as if it had another value.
template <class T>
class BlockEvaluator {
 public:
  static constexpr std::size_t kLaneCount = RecordTable::kLanes;

  // Tape, table and law must outlive this object.
  BlockEvaluator(const RecordTape& tape, const RecordTable& table, RowLaw law,
                 std::size_t blocks_at_once);

  const RecordTape& tape() const { return tape_; }
  const RecordTable& table() const { return table_; }
  // The number of values that the outcome can have besides a row's own; 0 without an outcome.
  std::size_t other_outcomes() const { return outcome_ == nullptr ? 0 : outcome_->others(); }
  // nullptr if outcomes are not simulated.
  const SimulatedOutcomes* simulated() const { return simulated_; }
  TapeWorkspace<T>& workspace() { return workspace_; }
  RecordPrefetch& prefetch() { return prefetch_; }

  // Must be called before the first block of every draw.
  void begin_draw(std::span<const double> theta) { tape_.begin_draw(workspace_, theta); }

  // Evaluates log densities and gradients, in rows, of rows of the table. Returns the number of
  // blocks. If the outcome has two values, sets shares().
  std::size_t evaluate_rows(std::span<const std::uint64_t> table_rows);
  // The same with products left in factored form.
  std::size_t evaluate_factors(std::span<const std::uint64_t> table_rows);
  // Evaluates one block of table rows in parts: loads it, then evaluates it with one of the values
  // of its outcome. Number 0 is the row's own value, the others follow.
  void load_block(std::span<const std::uint64_t> table_rows) { load(table_rows); }
  void evaluate_outcome(std::size_t number);
  // The same for outcomes that are not stored: evaluates the block with its present columns,
  // replaces some of these, and gives the rows of the loaded block as read.
  void evaluate_loaded();
  void set_columns(const PreparedColumns& columns, std::span<const double> reals,
                   std::span<const std::int32_t> integers);
  std::span<const std::int32_t> as_read() const {
    return std::span(stored_integers_).subspan(integers_.size());
  }

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

  // Shares of the clip bound for an outcome with two values (bound_shares.hpp), one entry for each
  // of the first blocks; else empty.
  std::span<const BoundShares> first_shares(std::size_t blocks) const {
    return std::span(shares_).first(shares_.empty() ? 0 : blocks);
  }
  const BoundShares& shares_of(std::size_t block) const {
    return shares_.empty() ? kWholeBound : shares_[block];
  }

 private:
  template <class Number>
  std::span<Number> part(Number* all, std::size_t size, std::size_t block) const {
    const std::size_t block_size = size / usable_.size();
    return {all + block * block_size, block_size};
  }

  std::size_t load(std::span<const std::uint64_t> table_rows);
  std::uint32_t load_with_outcomes(std::size_t block, std::span<const std::uint64_t> table_rows);
  // Puts one of the values of the outcome into a loaded block.
  void set_outcome(std::size_t block, std::size_t number);
  void evaluate_other_value(std::size_t blocks);
  void set_shares(std::size_t blocks);
  // True if stored rows hold more than the columns that the tape reads: what the law of the outcome
  // needs, or bins.
  bool has_more_columns() const {
    return outcome_ != nullptr || simulated_ != nullptr ||
           table_.integer_slots() != static_cast<std::size_t>(tape_.int_columns());
  }

  const RecordTape& tape_;
  const RecordTable& table_;
  const OutcomeColumns* outcome_;
  const SimulatedOutcomes* simulated_;
  RecordPrefetch prefetch_;
  TapeWorkspace<T> workspace_;
  LaneBuffer<T> reals_;
  std::vector<std::int32_t> integers_;
  std::vector<T> log_density_;
  LaneBuffer<T> rows_;  // gradients, in the tape's rows
  std::vector<std::int32_t> own_;
  std::vector<std::uint32_t> usable_;  // for each block
  // Blocks as stored, with all their columns; empty if the tape reads all.
  LaneBuffer<T> stored_reals_;
  std::vector<std::int32_t> stored_integers_;
  // For an outcome with two values: the log density of the other value, and the shares.
  std::vector<T> other_log_density_;
  std::vector<BoundShares> shares_;
};

}  // namespace dpvi
