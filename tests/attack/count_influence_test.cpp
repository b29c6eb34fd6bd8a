#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <dpvi/gradient/outcome_bins.hpp>
#include <tests/support/attacked_loop.hpp>
#include <tests/support/lane_block.hpp>

// Measures exactly what one record adds to a release of counts by the production step. The noise
// comes from a fixed key, so it can be subtracted again.

namespace dpvi {
namespace {

constexpr std::size_t kDimension = 3, kInner = 7;

std::shared_ptr<const OutcomeBins> bins_in(std::size_t histograms) {
  std::vector<BinnedNumber> numbers;
  for (std::size_t k = 0; k < kDimension; ++k) numbers.push_back({false, k});
  std::vector<OutcomeBins::Histogram> all;
  for (std::size_t h = 0; h < histograms; ++h) {
    const double turn = static_cast<double>(h);
    all.push_back({{std::cos(turn), std::sin(turn), 0.5}, -2.0, 3.0});
  }
  return std::make_shared<const OutcomeBins>(std::move(numbers), std::move(all), kInner);
}

// Typical rows, and rows with huge, tiny and non-finite numbers.
Gradients hostile_rows() {
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal;
  const double infinity = std::numeric_limits<double>::infinity();
  const double odd[] = {
      0.0,    -0.0,   -2.0,     3.0,       1e300,
      -1e300, 5e-324, infinity, -infinity, std::numeric_limits<double>::quiet_NaN()};
  Gradients rows;
  for (const double number : odd) {
    for (std::size_t k = 0; k < kDimension; ++k) {
      rows.push_back({normal(engine), normal(engine), normal(engine)});
      rows.push_back(rows.back());
      rows.back()[k] = number;
    }
  }
  return rows;
}

TEST(CountInfluence, IsARecordsOwnVectorOfNormAtMostTheBound) {
  for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
    const AttackedLoop loop(kDimension, precision);
    for (const std::size_t histograms : {1u, 2u, 3u, 7u}) {
      const auto bins = bins_in(histograms);
      for (const double multiplier : {0.3, 1.0 / 64.0, 40.0}) {
        const AttackedRun run{.grid = NoiseGrid(multiplier)};
        Gradients some;
        Integers before = loop.counted_sum(some, bins, run);
        EXPECT_TRUE(all_zero(before)) << "no records";
        for (const auto& row : hostile_rows()) {
          some.push_back(row);
          const Integers after = loop.counted_sum(some, bins, run);
          Integers move(after.size());
          for (std::size_t j = 0; j < move.size(); ++j) move[j] = after[j] - before[j];
          ASSERT_TRUE(exact_square_sum(move) <= exact_square(run.grid.integer_bound()))
              << "a record moves the sum by more than the bound";
          ASSERT_EQ(move, loop.counted_sum({row}, bins, run))
              << "a record's part in the sum depends on other records";
          before = after;
        }
      }
    }
  }
}

// Guarantee: the bins depend on this record and on public numbers alone.
// A record has the same entry in one bin of each histogram. If it cannot be sorted, it has none.
TEST(CountInfluence, IsOneBinOfEachHistogramOrNothing) {
  const AttackedLoop loop(kDimension);
  const AttackedRun run{.grid = NoiseGrid(0.5)};
  const auto bins = bins_in(4);
  std::int64_t entry = 0;
  int unusable = 0;
  for (const auto& row : hostile_rows()) {
    const Integers sum = loop.counted_sum({row}, bins, run);
    ASSERT_EQ(sum.size(), bins->size());
    if (std::ranges::any_of(row, [](double number) { return !std::isfinite(number); })) {
      EXPECT_TRUE(all_zero(sum));
      ++unusable;
      continue;
    }
    if (entry == 0) entry = *std::ranges::max_element(sum);
    for (std::size_t h = 0; h < bins->histograms(); ++h) {
      const auto first = sum.begin() + static_cast<std::ptrdiff_t>(h * bins->bins_of_one());
      const auto end = first + static_cast<std::ptrdiff_t>(bins->bins_of_one());
      EXPECT_EQ(std::count(first, end, entry), 1);
      EXPECT_EQ(std::count(first, end, 0), static_cast<std::ptrdiff_t>(bins->bins_of_one()) - 1);
    }
  }
  EXPECT_GT(entry, 0);
  EXPECT_GT(unusable, 0);
}

TEST(CountInfluence, OfAnUnusableRecordIsZero) {
  const AttackedLoop loop(kDimension);
  const AttackedRun run{.grid = NoiseGrid(0.5)};
  for (const std::size_t histograms : {1u, 3u}) {
    EXPECT_TRUE(all_zero(loop.counted_sum_with_unusable({}, 20, bins_in(histograms), run)));
  }
  const Gradients rows = {{0.1, 0.2, 0.3}, {-1.0, 5.0, 0.0}};
  EXPECT_EQ(loop.counted_sum_with_unusable(rows, 20, bins_in(3), run),
            loop.counted_sum(rows, bins_in(3), run));
}

TEST(CountInfluence, DoesNotDependOnOrderOrThreads) {
  const AttackedLoop loop(kDimension);
  const auto bins = bins_in(3);
  Gradients table;
  for (int i = 0; i < 30; ++i) {
    const Gradients once = hostile_rows();
    table.insert(table.end(), once.begin(), once.end());
  }
  AttackedRun run{.grid = NoiseGrid(1.0)};
  const Integers expected = loop.counted_sum(table, bins, run);
  for (const int threads : {2, 5}) {
    run.threads = threads;
    std::mt19937_64 engine(static_cast<std::uint64_t>(threads));
    std::shuffle(table.begin(), table.end(), engine);
    EXPECT_EQ(loop.counted_sum(table, bins, run), expected) << threads << " threads";
  }
}

}  // namespace
}  // namespace dpvi
