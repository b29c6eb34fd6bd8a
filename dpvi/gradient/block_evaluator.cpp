#include <dpvi/gradient/block_evaluator.hpp>

#include <algorithm>
#include <cmath>

#include <dpvi/gradient/bound_shares.hpp>

namespace dpvi {
namespace {

std::size_t lane_numbers(std::int32_t vectors) {
  return static_cast<std::size_t>(vectors) * RecordTable::kLanes;
}

}  // namespace

template <class T>
BlockEvaluator<T>::BlockEvaluator(const RecordTape& tape, const RecordTable& table, RowLaw law,
                                  std::size_t blocks_at_once)
    : tape_(tape),
      table_(table),
      outcome_(law.enumerated),
      simulated_(law.simulated),
      prefetch_(table),
      workspace_(tape),
      reals_(blocks_at_once * lane_numbers(tape.real_columns())),
      integers_(blocks_at_once * lane_numbers(tape.int_columns())),
      log_density_(blocks_at_once * kLaneCount),
      rows_(blocks_at_once * lane_numbers(tape.rows().size())),
      own_(blocks_at_once * lane_numbers(tape.rows().per_lane_rows)),
      usable_(blocks_at_once),
      stored_reals_(has_more_columns() ? blocks_at_once * table.real_slots() * kLaneCount : 0),
      stored_integers_(has_more_columns() ? blocks_at_once * table.integer_slots() * kLaneCount
                                          : 0),
      other_log_density_(other_outcomes() == 1 ? blocks_at_once * kLaneCount : 0),
      shares_(other_outcomes() == 1 ? blocks_at_once : 0) {}

template <class T>
std::size_t BlockEvaluator<T>::load(std::span<const std::uint64_t> table_rows) {
  std::size_t blocks = 0;
  for (; !table_rows.empty(); ++blocks) {
    const std::size_t taken = std::min(kLaneCount, table_rows.size());
    usable_[blocks] = has_more_columns()
                          ? load_with_outcomes(blocks, table_rows.first(taken))
                          : table_.load_lanes(table_rows.first(taken), reals_of(blocks),
                                              part(integers_.data(), integers_.size(), blocks));
    prefetch_.next(kLaneCount / 4);
    table_rows = table_rows.subspan(taken);
  }
  prefetch_.next(kLaneCount / 4);
  return blocks;
}

template <class T>
std::uint32_t BlockEvaluator<T>::load_with_outcomes(std::size_t block,
                                                    std::span<const std::uint64_t> table_rows) {
  const std::span<T> reals = part(stored_reals_.data(), stored_reals_.size(), block);
  const std::span<std::int32_t> integers =
      part(stored_integers_.data(), stored_integers_.size(), block);
  const std::uint32_t usable = table_.load_lanes(table_rows, reals, integers);
  const std::span<T> own_reals = reals_of(block);
  std::copy_n(reals.data(), own_reals.size(), own_reals.data());
  const std::span<std::int32_t> own_integers = part(integers_.data(), integers_.size(), block);
  std::copy_n(integers.data(), own_integers.size(), own_integers.data());
  return usable;
}

template <class T>
void BlockEvaluator<T>::set_outcome(std::size_t block, std::size_t number) {
  const auto put = [&](const std::vector<std::int32_t>& columns, const auto& stored,
                       const auto& loaded) {
    const std::size_t others = loaded.size() / kLaneCount + (number - 1) * columns.size();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto column = static_cast<std::size_t>(columns[i]);
      const std::size_t from = number == 0 ? column : others + i;
      std::copy_n(stored.data() + from * kLaneCount, kLaneCount,
                  loaded.data() + column * kLaneCount);
    }
  };
  put(outcome_->columns.reals, part(stored_reals_.data(), stored_reals_.size(), block),
      reals_of(block));
  put(outcome_->columns.ints, part(stored_integers_.data(), stored_integers_.size(), block),
      part(integers_.data(), integers_.size(), block));
}

template <class T>
void BlockEvaluator<T>::evaluate_outcome(std::size_t number) {
  set_outcome(0, number);
  evaluate_loaded();
}

template <class T>
void BlockEvaluator<T>::evaluate_loaded() {
  tape_.evaluate_rows(workspace_, LaneBlock<T>{reals_.data(), integers_.data()},
                      log_density_.data(), rows_.data(), own_.data());
}

template <class T>
void BlockEvaluator<T>::set_columns(const PreparedColumns& columns, std::span<const double> reals,
                                    std::span<const std::int32_t> integers) {
  for (std::size_t i = 0; i < columns.reals.size(); ++i) {
    T* to = reals_.data() + static_cast<std::size_t>(columns.reals[i]) * kLaneCount;
    std::transform(&reals[i * kLaneCount], &reals[i * kLaneCount] + kLaneCount, to,
                   [](double value) { return static_cast<T>(value); });
  }
  for (std::size_t i = 0; i < columns.ints.size(); ++i) {
    std::copy_n(&integers[i * kLaneCount], kLaneCount,
                integers_.data() + static_cast<std::size_t>(columns.ints[i]) * kLaneCount);
  }
}

template <class T>
void BlockEvaluator<T>::evaluate_other_value(std::size_t blocks) {
  if (shares_.empty()) return;
  for (std::size_t block = 0; block < blocks; ++block) {
    set_outcome(block, 1);
    const std::span<std::int32_t> integers = part(integers_.data(), integers_.size(), block);
    tape_.evaluate_block_value(workspace_, LaneBlock<T>{reals_of(block).data(), integers.data()},
                               &other_log_density_[block * kLaneCount]);
    set_outcome(block, 0);
  }
}

template <class T>
void BlockEvaluator<T>::set_shares(std::size_t blocks) {
  if (shares_.empty()) return;
  for (std::size_t block = 0; block < blocks; ++block) {
    shares_[block] =
        bound_shares(&log_density_[block * kLaneCount], &other_log_density_[block * kLaneCount]);
  }
}

template <class T>
std::size_t BlockEvaluator<T>::evaluate_rows(std::span<const std::uint64_t> table_rows) {
  const std::size_t blocks = load(table_rows);
  evaluate_other_value(blocks);
  tape_.evaluate_rows(workspace_, LaneBlock<T>{reals_.data(), integers_.data()},
                      log_density_.data(), rows_.data(), own_.data(), blocks);
  set_shares(blocks);
  return blocks;
}

template <class T>
std::size_t BlockEvaluator<T>::evaluate_factors(std::span<const std::uint64_t> table_rows) {
  const std::size_t blocks = load(table_rows);
  evaluate_other_value(blocks);
  tape_.evaluate_factors(workspace_, LaneBlock<T>{reals_.data(), integers_.data()},
                         log_density_.data(), rows_.data(), own_.data(), blocks);
  set_shares(blocks);
  return blocks;
}

template <class T>
std::uint32_t BlockEvaluator<T>::counting_lanes(std::size_t block) const {
  std::uint32_t finite = 0;
  for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
    finite |= (std::isfinite(log_density(block, lane)) ? 1u : 0u) << lane;
  }
  return usable_[block] & finite;
}

template class BlockEvaluator<float>;
template class BlockEvaluator<double>;

}  // namespace dpvi
