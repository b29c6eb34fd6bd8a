#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <immintrin.h>

#include <dpvi/base/error.hpp>
#include <dpvi/gradient/grid_clipper.hpp>
#include <dpvi/privacy/collective.hpp>
#include <tests/support/clipped_sum_integers.hpp>
#include <tests/support/hostile_gradients.hpp>
#include <tests/support/lane_block.hpp>

namespace dpvi {
namespace {

template <class T>
using Records = std::vector<std::vector<T>>;

ClipSettings settings_of(std::size_t dimension) {
  return {.grid = NoiseGrid(1.7), .clip_bound = 0.8, .dimension = dimension, .max_records = 1000};
}

ClipSettings with_coordinate(std::size_t dimension) {
  ClipSettings settings = settings_of(dimension);
  settings.coordinate = ClipCoordinate{.size = 0.15, .unshortened_share = 0.8};
  return settings;
}

// D exceeds 2^26, the largest bound that the sweep supports.
ClipSettings on_a_fine_grid(std::size_t dimension) {
  ClipSettings settings = with_coordinate(dimension);
  settings.grid = NoiseGrid(0.05);
  return settings;
}

template <class T>
void add_records(GridClipper& clipper, std::size_t dimension, const Records<T>& records) {
  for (std::size_t first = 0; first < records.size(); first += GridClipper::kLanes) {
    ClipLanes<T> block(dimension, std::numeric_limits<T>::quiet_NaN());
    const std::size_t end = std::min(first + GridClipper::kLanes, records.size());
    for (std::size_t i = first; i < end; ++i) block.put(i - first, records[i]);
    clipper.add(std::span<const T>(block.entries()), block.active_lanes());
  }
}

// Thread t takes every threads-th record, so the blocks depend on the number of threads.
template <class T>
std::vector<std::int64_t> sum_of(const ClipSettings& settings, const Records<T>& records,
                                 std::size_t threads = 1) {
  std::vector<GridClipper> clippers;
  for (std::size_t t = 0; t < threads; ++t) clippers.emplace_back(settings);
  std::vector<std::thread> workers;
  for (std::size_t t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      Records<T> share;
      for (std::size_t i = t; i < records.size(); i += threads) share.push_back(records[i]);
      add_records(clippers[t], settings.dimension, share);
    });
  }
  for (std::thread& worker : workers) worker.join();
  std::vector<PartialSum> parts;
  for (GridClipper& clipper : clippers) parts.push_back(clipper.take_sum());
  ClippedSum sum = Collective().reduce(std::move(parts));
  return integers_for_tests(sum);
}

template <class T>
class GridClipperSums : public testing::Test {
 protected:
  static Records<T> hostile_records(std::size_t dimension, std::size_t count) {
    HostileGradients<T> gradients(dimension, 7);
    Records<T> records;
    for (std::size_t i = 0; i < count; ++i) records.push_back(gradients.any());
    return records;
  }
};

using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(GridClipperSums, Precisions);

// Guarantee: adding a record moves the sum by an integer vector of norm at most the grid's
// integer_bound(), over all coordinates.
TYPED_TEST(GridClipperSums, AddingARecordMovesTheSumByThatRecordsVector) {
  for (const ClipSettings& settings :
       {settings_of(1), settings_of(2), settings_of(13), settings_of(100), with_coordinate(1),
        with_coordinate(2), with_coordinate(13), on_a_fine_grid(1), on_a_fine_grid(13)}) {
    const ClipTarget target = clip_target(settings);
    Records<TypeParam> records = this->hostile_records(settings.dimension, 70);
    std::vector<std::int64_t> before(target.width(), 0);
    Records<TypeParam> so_far;
    for (const auto& record : records) {
      so_far.push_back(record);
      const std::vector<std::int64_t> after = sum_of(settings, so_far);
      const std::vector<std::int64_t> alone = sum_of(settings, Records<TypeParam>{record});
      ASSERT_TRUE(exact_square_sum(alone) <= exact_square(target.integer_bound));
      for (std::size_t j = 0; j < target.width(); ++j) ASSERT_EQ(after[j] - before[j], alone[j]);
      before = after;
    }
  }
}

TYPED_TEST(GridClipperSums, SumDoesNotDependOnTheOrderOfTheRecords) {
  Records<TypeParam> records = this->hostile_records(21, 200);
  const std::vector<std::int64_t> expected = sum_of(with_coordinate(21), records);
  std::mt19937_64 engine(11);
  for (int i = 0; i < 20; ++i) {
    std::shuffle(records.begin(), records.end(), engine);
    ASSERT_EQ(sum_of(with_coordinate(21), records), expected);
  }
}

TYPED_TEST(GridClipperSums, SumDoesNotDependOnTheNumberOfThreads) {
  const Records<TypeParam> records = this->hostile_records(21, 200);
  const std::vector<std::int64_t> expected = sum_of(with_coordinate(21), records);
  for (const std::size_t threads : {2u, 3u, 7u}) {
    EXPECT_EQ(sum_of(with_coordinate(21), records, threads), expected);
  }
}

// A denormal float is far above this clip bound, but zero in a thread that flushes denormals.
TEST(GridClipper, SumDoesNotDependOnTheFloatingPointModeOfTheThread) {
  ClipSettings settings = settings_of(2);
  settings.clip_bound = 1e-100;
  const auto integers_in_mode = [&](unsigned mode) {
    GridClipper clipper(settings);
    const unsigned found = _mm_getcsr();
    _mm_setcsr(mode);
    add_records<float>(clipper, 2, {{std::numeric_limits<float>::denorm_min(), 0.0f}});
    _mm_setcsr(found);
    ClippedSum sum = Collective().reduce(clipper.take_sum());
    return integers_for_tests(sum);
  };
  constexpr unsigned kStandard = 0x1f80;
  constexpr unsigned kDenormalsAreZero = 0x8040;
  const std::vector<std::int64_t> expected = {settings.grid.integer_bound(), 0};
  EXPECT_EQ(integers_in_mode(kStandard), expected);
  EXPECT_EQ(integers_in_mode(kStandard | kDenormalsAreZero), expected);
}

TEST(GridClipper, EmptyBatchGivesAZeroSum) {
  GridClipper clipper(settings_of(5));
  ClippedSum sum = Collective().reduce(clipper.take_sum());
  EXPECT_EQ(integers_for_tests(sum), std::vector<std::int64_t>(5, 0));
}

TEST(GridClipper, TakingTheSumStartsANewOne) {
  GridClipper clipper(settings_of(1));
  add_records<float>(clipper, 1, {{3.0f}});
  ClippedSum first = Collective().reduce(clipper.take_sum());
  ClippedSum second = Collective().reduce(clipper.take_sum());
  const auto bound = static_cast<double>(settings_of(1).grid.integer_bound());
  const auto found = static_cast<double>(integers_for_tests(first)[0]);
  EXPECT_LE(found, bound);
  EXPECT_GE(found, bound * (1.0 - 0x1p-20) - 3.0);
  EXPECT_EQ(integers_for_tests(second)[0], 0);
}

TEST(GridClipper, UnusableSettingsAreRefused) {
  const auto with = [](auto change) {
    ClipSettings settings = settings_of(5);
    change(settings);
    GridClipper{settings};
  };
  for (const double bad : {0.0, -1.0, 1e-101, 1e101, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(with([&](ClipSettings& s) { s.clip_bound = bad; }), UsageError) << bad;
  }
  EXPECT_THROW(with([](ClipSettings& s) { s.dimension = 0; }), UsageError);
  EXPECT_THROW(with([](ClipSettings& s) { s.dimension = (1u << 24) + 1; }), UsageError);
  EXPECT_THROW(with([](ClipSettings& s) { s.max_records = s.grid.largest_batch() + 1; }),
               UsageError);
  EXPECT_NO_THROW(with([](ClipSettings& s) { s.max_records = s.grid.largest_batch(); }));
  for (const ClipCoordinate bad : {ClipCoordinate{.51, .9}, ClipCoordinate{-.1, .9},
                                   ClipCoordinate{.15, .04}, ClipCoordinate{.15, 1.01}}) {
    EXPECT_THROW(with([&](ClipSettings& s) { s.coordinate = bad; }), UsageError);
  }
  EXPECT_THROW(with([](ClipSettings& s) {
                 s.coordinate = ClipCoordinate{};
                 s.rule = ClipRule::normalise;
               }),
               UsageError);
}

}  // namespace
}  // namespace dpvi
