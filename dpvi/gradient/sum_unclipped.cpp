#include <dpvi/gradient/sum_unclipped.hpp>

#include <vector>

#include <dpvi/gradient/row_sums.hpp>

namespace dpvi {
namespace {

template <class T>
void add_lane(BlockEvaluator<T>& evaluated, std::size_t block, std::size_t lane, double* sum) {
  const T* entry = evaluated.rows_of(block).data() + lane;
  const std::int32_t* own = evaluated.own_of(block).data() + lane;
  for (std::int32_t coordinate : evaluated.tape().rows().coordinates) {
    if (coordinate == GradientRows::kOwn) {
      coordinate = *own;
      own += RecordTable::kLanes;
    }
    if (coordinate != kNoCoordinate) sum[coordinate] += static_cast<double>(*entry);
    entry += RecordTable::kLanes;
  }
}

template <class T>
void add_blocks(BlockEvaluator<T>& evaluated, std::size_t blocks, ValueAndGradient& sum) {
  for (std::size_t block = 0; block < blocks; ++block) {
    for (std::size_t lane = 0; lane < RecordTable::kLanes; ++lane) {
      if ((evaluated.usable_lanes(block) >> lane & 1u) == 0) continue;
      sum.value += static_cast<double>(evaluated.log_density(block, lane));
      add_lane(evaluated, block, lane, sum.gradient.data());
    }
  }
}

}  // namespace

template <class T>
ValueAndGradient sum_unclipped(RecordWalk& walk,
                               std::span<const std::unique_ptr<BlockEvaluator<T>>> evaluators,
                               std::span<const double> theta,
                               std::span<const std::uint64_t> records) {
  const ValueAndGradient zero{0.0, std::vector<double>(theta.size(), 0.0)};
  // Sums of doubles depend on their order: each chunk has its own sum, and these are added in
  // order.
  std::vector<ValueAndGradient> sums(walk.chunk_count(records.size()), zero);
  walk.run(records, [&](std::size_t worker, const auto& chunks) {
    BlockEvaluator<T>& evaluator = *evaluators[worker];
    evaluator.begin_draw(theta);
    chunks(evaluator.prefetch(), [&](std::size_t chunk, std::span<const std::uint64_t> chosen) {
      for_each_row(evaluator.table(), chosen, [&](std::span<const std::uint64_t> table_rows) {
        add_blocks(evaluator, evaluator.evaluate_rows(table_rows), sums[chunk]);
      });
    });
  });
  ValueAndGradient total = zero;
  for (const ValueAndGradient& sum : sums) {
    total.value += sum.value;
    for (std::size_t j = 0; j < theta.size(); ++j) total.gradient[j] += sum.gradient[j];
  }
  return total;
}

template ValueAndGradient sum_unclipped(RecordWalk&,
                                        std::span<const std::unique_ptr<BlockEvaluator<float>>>,
                                        std::span<const double>, std::span<const std::uint64_t>);
template ValueAndGradient sum_unclipped(RecordWalk&,
                                        std::span<const std::unique_ptr<BlockEvaluator<double>>>,
                                        std::span<const double>, std::span<const std::uint64_t>);

}  // namespace dpvi
