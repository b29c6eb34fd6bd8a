#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <tests/support/attacked_loop.hpp>
#include <tests/support/hostile_gradients.hpp>
#include <tests/support/lane_block.hpp>

// Measures exactly how far one record moves the releases of the production loop. The noise comes
// from a fixed key, so it can be subtracted again.

namespace dpvi {
namespace {

constexpr std::optional<ClipCoordinate> kCoordinates[] = {
    std::nullopt, ClipCoordinate{.15, .97}, ClipCoordinate{.15, .7}, ClipCoordinate{.5, .5}};

std::vector<double> in_double(const std::vector<float>& gradient) {
  return {gradient.begin(), gradient.end()};
}

// The first record is followed by its opposite, three times as long. A zero record and hostile
// records follow.
Gradients hostile_table(std::size_t dimension) {
  HostileGradients<float> gradients(dimension, 3);
  Gradients table = {in_double(gradients.filled(7.0f)), in_double(gradients.filled(-21.0f)),
                     in_double(gradients.filled(0.0f))};
  for (int i = 0; i < 60; ++i) {
    table.push_back(in_double(i % 2 == 0 ? gradients.normal(1.0) : gradients.any()));
  }
  return table;
}

Integers difference(const Integers& after, const Integers& before) {
  Integers move(after.size());
  for (std::size_t j = 0; j < move.size(); ++j) move[j] = after[j] - before[j];
  return move;
}

// With few coordinates, gradient rows are written out; with 40, they are kept as products.
TEST(RecordInfluence, IsARecordsOwnVectorOfNormAtMostTheBound) {
  for (const std::size_t dimension : {std::size_t{12}, std::size_t{40}}) {
    for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
      const AttackedLoop loop(dimension, precision);
      const Gradients all = hostile_table(dimension);
      for (const double multiplier : {1.0 / 64.0, 0.3, 2.3}) {
        for (const auto& coordinate : kCoordinates) {
          const AttackedRun run{.grid = NoiseGrid(multiplier), .coordinate = coordinate};
          Gradients some;
          Integers before = loop.first_sum(some, run);
          EXPECT_TRUE(all_zero(before)) << "a batch without records";
          for (const auto& gradient : all) {
            some.push_back(gradient);
            const Integers after = loop.first_sum(some, run),
                           alone = loop.first_sum({gradient}, run);
            const Integers move = difference(after, before);
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

TEST(RecordInfluence, DoesNotDependOnOrderOrThreads) {
  const AttackedLoop loop(12);
  const Gradients once = hostile_table(12);
  Gradients table;
  // The table exceeds one worker's share of records.
  for (int i = 0; i < 16; ++i) table.insert(table.end(), once.begin(), once.end());
  for (const auto& coordinate : kCoordinates) {
    AttackedRun run{.coordinate = coordinate};
    const Integers expected = loop.first_sum(table, run);
    for (const int threads : {2, 3, 7}) {
      run.threads = threads;
      std::mt19937_64 engine(static_cast<std::uint64_t>(threads));
      std::shuffle(table.begin(), table.end(), engine);
      EXPECT_EQ(loop.first_sum(table, run), expected) << threads << " threads";
    }
  }
}

// Guarantee: a gradient with a NaN or an infinity counts as zero, silently; any other gradient,
// however large or small, is kept.
TEST(RecordInfluence, OfARecordThatIsNotFiniteIsZero) {
  HostileGradients<float> gradients(7, 6);
  const AttackedLoop loop(7);
  for (const auto& coordinate : kCoordinates) {
    for (int i = 0; i < 20; ++i) {
      EXPECT_TRUE(all_zero(
          loop.first_sum({in_double(gradients.not_finite())}, {.coordinate = coordinate})));
    }
  }
}

// Guarantee: a gradient with a NaN or an infinity counts as zero, silently; any other gradient,
// however large or small, is kept.
// In single precision, noise multipliers below 1/4 leave no room for rounding.
TEST(RecordInfluence, OfAFiniteRecordIsNotZero) {
  HostileGradients<float> gradients(20, 5);
  const AttackedLoop loop(20);
  for (const double multiplier : {1.0 / 64.0, 0.1, 1.0, 2.3}) {
    for (int i = 0; i < 50; ++i) {
      const std::vector<double> gradient = in_double(gradients.normal(1.0));
      EXPECT_FALSE(all_zero(loop.first_sum({gradient}, {.grid = NoiseGrid(multiplier)})));
    }
  }
}

// Returns a gradient with `count` entries slightly above half a grid step. Each entry rounds to 1,
// so the integers have squared norm `count`.
std::vector<double> ones(std::size_t count, std::size_t dimension) {
  std::vector<double> gradient(dimension, 0.0);
  std::fill_n(gradient.begin(), count, 0.50001);
  return gradient;
}

// The check separates D^2 from D^2 + 1 in every lane, including the square of the clip coordinate.
// One grid step is 1/20 of the clip bound here.
TEST(RecordInfluence, IsCheckedAtExactlyTheBoundWithTheClipCoordinate) {
  constexpr std::int64_t kBound = 20, kMark = 5;
  constexpr std::size_t kDimension = kBound * kBound + 1;
  const AttackedLoop loop(kDimension);
  AttackedRun run{.grid = NoiseGrid::with_integer_bound(kBound), .clip_bound = kBound};
  for (const bool marked : {false, true}) {
    if (marked) run.coordinate = ClipCoordinate{.size = 0.25, .unshortened_share = 0.5};
    const std::size_t at_bound = kBound * kBound - (marked ? kMark * kMark : 0);
    for (std::size_t lane = 0; lane < 16; ++lane) {
      Gradients table(16, ones(0, kDimension));
      const Integers neighbours = loop.first_sum(table, run);
      const auto influence = [&](std::size_t count) {
        table[lane] = ones(count, kDimension);
        Integers move = difference(loop.first_sum(table, run), neighbours);
        // The replaced record also had a clip coordinate.
        if (marked) move.back() -= kMark;
        return move;
      };
      EXPECT_TRUE(exact_square_sum(influence(at_bound)) == exact_square(kBound)) << "lane " << lane;
      EXPECT_TRUE(exact_square_sum(influence(at_bound + 1)) <= exact_square(kBound))
          << "lane " << lane << (marked ? ", with a clip coordinate" : "");
    }
  }
}

// All entries are m + 1/2: the gradient is just within the bound, and rounding lifts it above.
TEST(RecordInfluence, OfAGradientThatRoundingLengthensStaysWithinTheBound) {
  constexpr std::size_t kDimension = 1000;
  for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
    const AttackedLoop loop(kDimension, precision);
    for (const std::int64_t bound : {std::int64_t{1000}, std::int64_t{1} << 17}) {
      const AttackedRun run{.grid = NoiseGrid::with_integer_bound(bound),
                            .clip_bound = static_cast<double>(bound)};
      const double entry = static_cast<double>(bound) / std::sqrt(double{kDimension});
      for (const double below : {0.3, 0.2, 0.1, 0.05}) {
        const std::vector<double> gradient(kDimension, std::floor(entry - below) + 0.5001);
        EXPECT_TRUE(exact_square_sum(loop.first_sum({gradient}, run)) <= exact_square(bound));
      }
    }
  }
}

}  // namespace
}  // namespace dpvi
