#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <tests/support/attacked_loop.hpp>
#include <tests/support/hostile_gradients.hpp>
#include <tests/support/lane_block.hpp>

// Measures how far one record moves the releases of the production loop when its latent variables
// are integrated out. The gradient of such a record is itself the result of a search for a mode.

namespace dpvi {
namespace {

constexpr std::optional<ClipCoordinate> kMarks[] = {std::nullopt, ClipCoordinate{.25, .97}};

// Ordinary rows of several lengths between hostile ones: NaN, infinite, huge and tiny numbers.
Gradients hostile_rows(std::size_t dimension) {
  HostileGradients<float> gradients(dimension, 11);
  Gradients table;
  for (int i = 0; i < 60; ++i) {
    const std::vector<float> row =
        i % 3 == 0 ? gradients.any() : gradients.normal(std::ldexp(1.0, 3 * (i % 7) - 9));
    table.emplace_back(row.begin(), row.end());
  }
  return table;
}

// Guarantee: the integral for a record reads that record and theta alone.
TEST(LatentInfluence, IsARecordsOwnVectorOfNormAtMostTheBound) {
  for (const int latents : {1, 2, 3}) {
    for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
      const AttackedLoop loop = AttackedLoop::with_latents(latents, 5, precision);
      for (const auto& coordinate : kMarks) {
        const AttackedRun run{.grid = NoiseGrid(1.3), .coordinate = coordinate};
        Gradients some;
        Integers before = loop.first_sum(some, run);
        std::size_t moving = 0;
        for (const auto& record : hostile_rows(5)) {
          some.push_back(record);
          const Integers after = loop.first_sum(some, run), alone = loop.first_sum({record}, run);
          Integers move(after.size());
          for (std::size_t j = 0; j < move.size(); ++j) move[j] = after[j] - before[j];
          ASSERT_TRUE(exact_square_sum(move) <= exact_square(run.grid.integer_bound()))
              << "a record moves the sum by more than the bound";
          ASSERT_EQ(move, alone) << "a record's part in the sum depends on other records";
          moving += all_zero(move) ? 0 : 1;
          before = after;
        }
        EXPECT_GE(moving, 40u) << "ordinary records count";
      }
    }
  }
}

TEST(LatentInfluence, DoesNotDependOnOrderOrThreads) {
  for (const int latents : {1, 3}) {
    const AttackedLoop loop = AttackedLoop::with_latents(latents, 5, Precision::single_precision);
    const Gradients once = hostile_rows(5);
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

// Units: the gradients of a person's rows, each with latent variables of its own, are summed and
// clipped once.
TEST(LatentInfluence, OfAUnitIsThatOfItsRowsAlone) {
  const AttackedLoop loop = AttackedLoop::with_latents(1, 5, Precision::single_precision);
  const Gradients rows = hostile_rows(5);
  RowGradients units;
  for (std::size_t i = 0; i + 3 <= rows.size(); i += 3) {
    units.push_back({rows[i], rows[i + 1], rows[i + 2]});
  }
  const AttackedRun run{.grid = NoiseGrid(1.3)};
  RowGradients some;
  Integers before = loop.first_sum(loop.units(some), run);
  for (const Gradients& unit : units) {
    some.push_back(unit);
    const Integers after = loop.first_sum(loop.units(some), run);
    const Integers alone = loop.first_sum(loop.units({unit}), run);
    Integers move(after.size());
    for (std::size_t j = 0; j < move.size(); ++j) move[j] = after[j] - before[j];
    ASSERT_TRUE(exact_square_sum(move) <= exact_square(run.grid.integer_bound()));
    ASSERT_EQ(move, alone) << "a unit's part in the sum depends on other units";
    before = after;
  }
}

}  // namespace
}  // namespace dpvi
