#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <tests/support/attacked_loop.hpp>
#include <tests/support/hostile_gradients.hpp>
#include <tests/support/lane_block.hpp>

// Measures exactly what one record adds to a release of information by the production step. The
// noise comes from a fixed key, so it can be subtracted again.

namespace dpvi {
namespace {

Gradients hostile_records(std::size_t dimension) {
  HostileGradients<float> gradients(dimension, 11);
  Gradients table;
  for (int i = 0; i < 40; ++i) {
    const std::vector<float> one = i % 2 == 0 ? gradients.normal(1.0) : gradients.any();
    table.emplace_back(one.begin(), one.end());
  }
  return table;
}

// A vector v and -v add the same matrix; two orthogonal vectors add matrices without common
// entries.
TEST(InformationInfluence, IsARecordsOwnMatrixOfNormAtMostTheBound) {
  for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
    const AttackedLoop loop(6, precision);
    for (const double multiplier : {1.0 / 64.0, 0.3, 2.3, 40.0}) {
      const AttackedRun run{.grid = NoiseGrid(multiplier)};
      Gradients some;
      Integers before = loop.information_sum(loop.table(some), run);
      EXPECT_TRUE(all_zero(before)) << "no records";
      for (const auto& gradient : hostile_records(6)) {
        some.push_back(gradient);
        const Integers after = loop.information_sum(loop.table(some), run);
        const Integers alone = loop.information_sum(loop.table({gradient}), run);
        Integers move(after.size());
        for (std::size_t j = 0; j < move.size(); ++j) move[j] = after[j] - before[j];
        ASSERT_TRUE(exact_square_sum(move) <= exact_square(run.grid.integer_bound()))
            << "a record moves the sum by more than the bound";
        ASSERT_EQ(move, alone) << "a record's part in the sum depends on other records";
        before = after;
      }
    }
  }
}

// Entry (j, k) is v_j v_k: the matrix is symmetric, positive semidefinite and of rank one, and its
// last diagonal entry is the same for all usable records.
TEST(InformationInfluence, IsTheProductOfAVectorWithItself) {
  constexpr std::size_t kDimension = 6, kWidth = kDimension + 1;
  const AttackedLoop loop(kDimension);
  const AttackedRun run{.grid = NoiseGrid(0.5)};
  std::int64_t count = 0;
  for (const auto& gradient : hostile_records(kDimension)) {
    const Integers matrix = loop.information_sum(loop.table({gradient}), run);
    ASSERT_EQ(matrix.size(), kWidth * kWidth);
    const auto entry = [&](std::size_t j, std::size_t k) { return matrix[j * kWidth + k]; };
    const std::int64_t last = entry(kDimension, kDimension);
    if (all_zero(matrix)) continue;  // not finite
    if (count == 0) count = last;
    EXPECT_EQ(last, count);
    for (std::size_t j = 0; j < kWidth; ++j) {
      for (std::size_t k = 0; k < kWidth; ++k) {
        EXPECT_EQ(entry(j, k), entry(k, j));
        EXPECT_EQ(entry(j, k) * last, entry(j, kDimension) * entry(kDimension, k));
      }
    }
  }
  EXPECT_GT(count, 0);
}

TEST(InformationInfluence, DoesNotDependOnOrderOrThreads) {
  const AttackedLoop loop(6);
  const Gradients once = hostile_records(6);
  Gradients table;
  for (int i = 0; i < 30; ++i) table.insert(table.end(), once.begin(), once.end());
  AttackedRun run{.grid = NoiseGrid(1.0)};
  const Integers expected = loop.information_sum(loop.table(table), run);
  for (const int threads : {2, 5}) {
    run.threads = threads;
    std::mt19937_64 engine(static_cast<std::uint64_t>(threads));
    std::shuffle(table.begin(), table.end(), engine);
    EXPECT_EQ(loop.information_sum(loop.table(table), run), expected) << threads << " threads";
  }
}

TEST(InformationInfluence, OfAUnitIsThatOfTheSumOfItsRows) {
  const AttackedLoop loop(3);
  const AttackedRun run{.grid = NoiseGrid(1.0)};
  const Integers unit =
      loop.information_sum(loop.units({{{0.25, 0.0, 0.125}, {0.0, 0.25, 0.125}}}), run);
  EXPECT_EQ(unit, loop.information_sum(loop.table({{0.25, 0.25, 0.25}}), run));
}

}  // namespace
}  // namespace dpvi
