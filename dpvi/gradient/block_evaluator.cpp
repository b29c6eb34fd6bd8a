#include <dpvi/gradient/block_evaluator.hpp>

#include <algorithm>
#include <cmath>

namespace dpvi {
namespace {

std::size_t lane_numbers(std::int32_t vectors) {
  return static_cast<std::size_t>(vectors) * RecordTable::kLanes;
}

}  // namespace

template <class T>
BlockEvaluator<T>::BlockEvaluator(const RecordTape& tape, const RecordTable& table,
                                  std::size_t blocks_at_once)
    : tape_(tape),
      table_(table),
      prefetch_(table),
      workspace_(tape),
      reals_(blocks_at_once * lane_numbers(tape.real_columns())),
      integers_(blocks_at_once * lane_numbers(tape.int_columns())),
      log_density_(blocks_at_once * kLaneCount),
      rows_(blocks_at_once * lane_numbers(tape.rows().size())),
      own_(blocks_at_once * lane_numbers(tape.rows().per_lane_rows)),
      usable_(blocks_at_once) {}

template <class T>
std::size_t BlockEvaluator<T>::load(std::span<const std::uint64_t> table_rows) {
  std::size_t blocks = 0;
  for (; !table_rows.empty(); ++blocks) {
    const std::size_t taken = std::min(kLaneCount, table_rows.size());
    usable_[blocks] = table_.load_lanes(table_rows.first(taken), reals_of(blocks),
                                        part(integers_.data(), integers_.size(), blocks));
    prefetch_.next(kLaneCount / 4);
    table_rows = table_rows.subspan(taken);
  }
  prefetch_.next(kLaneCount / 4);
  return blocks;
}

template <class T>
std::size_t BlockEvaluator<T>::evaluate_rows(std::span<const std::uint64_t> table_rows) {
  const std::size_t blocks = load(table_rows);
  tape_.evaluate_rows(workspace_, LaneBlock<T>{reals_.data(), integers_.data()},
                      log_density_.data(), rows_.data(), own_.data(), blocks);
  return blocks;
}

template <class T>
std::size_t BlockEvaluator<T>::evaluate_factors(std::span<const std::uint64_t> table_rows) {
  const std::size_t blocks = load(table_rows);
  tape_.evaluate_factors(workspace_, LaneBlock<T>{reals_.data(), integers_.data()},
                         log_density_.data(), rows_.data(), own_.data(), blocks);
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
