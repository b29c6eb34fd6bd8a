#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <tests/support/attacked_loop.hpp>
#include <tests/support/hostile_gradients.hpp>
#include <tests/support/lane_block.hpp>

// Measures how far one record moves the releases of the production loop when clipping is
// conditionally unbiased: the vector of a record then depends on all values of its outcome.

namespace dpvi {
namespace {

constexpr std::optional<ClipCoordinate> kMarks[] = {
    std::nullopt, ClipCoordinate{.25, .97}, ClipCoordinate{.5, .5}, ClipCoordinate{.25, .1}};

// Ordinary rows of several lengths between hostile ones, with all outcomes.
Gradients hostile_outcomes(std::size_t dimension, int outcomes) {
  HostileGradients<float> gradients(dimension, 9);
  Gradients table;
  for (int i = 0; i < 60; ++i) {
    const std::vector<float> row =
        i % 3 == 0 ? gradients.any() : gradients.normal(std::ldexp(1.0, i % 7 - 3));
    std::vector<double>& record = table.emplace_back(row.begin(), row.end());
    record.push_back(static_cast<double>(i % outcomes));
  }
  return table;
}

// Two outcomes are clipped in closed form, with rows written out or kept as products; several
// outcomes need a solver.
TEST(OutcomeInfluence, IsARecordsOwnVectorOfNormAtMostTheBound) {
  for (const int outcomes : {2, 5}) {
    for (const std::size_t dimension : {std::size_t{6}, std::size_t{40}}) {
      for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
        const AttackedLoop loop = AttackedLoop::with_outcomes(outcomes, dimension, precision);
        for (const auto& coordinate : kMarks) {
          const AttackedRun run{.grid = NoiseGrid(1.3), .coordinate = coordinate};
          Gradients some;
          Integers before = loop.first_sum(some, run);
          for (const auto& record : hostile_outcomes(dimension, outcomes)) {
            some.push_back(record);
            const Integers after = loop.first_sum(some, run), alone = loop.first_sum({record}, run);
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
  }
}

TEST(OutcomeInfluence, DoesNotDependOnOrderOrThreads) {
  for (const int outcomes : {2, 5}) {
    const AttackedLoop loop = AttackedLoop::with_outcomes(outcomes, 6, Precision::single_precision);
    const Gradients once = hostile_outcomes(6, outcomes);
    Gradients table;
    for (int i = 0; i < 20; ++i) table.insert(table.end(), once.begin(), once.end());
    AttackedRun run{.coordinate = kMarks[1]};
    const Integers expected = loop.first_sum(table, run);
    for (const int threads : {2, 5}) {
      run.threads = threads;
      std::mt19937_64 engine(static_cast<std::uint64_t>(threads));
      std::shuffle(table.begin(), table.end(), engine);
      EXPECT_EQ(loop.first_sum(table, run), expected) << threads << " threads";
    }
  }
}

// A record whose outcome is none of the declared values counts as zero, as an unusable row does.
TEST(OutcomeInfluence, OfAnUndeclaredOutcomeIsZero) {
  for (const int outcomes : {2, 5}) {
    const AttackedLoop loop = AttackedLoop::with_outcomes(outcomes, 2, Precision::single_precision);
    for (const double outcome : {-1.0, static_cast<double>(outcomes), 2147483647.0}) {
      EXPECT_TRUE(all_zero(loop.first_sum({{1.0, 2.0, outcome}}, {.coordinate = kMarks[1]})));
    }
  }
}

}  // namespace
}  // namespace dpvi
