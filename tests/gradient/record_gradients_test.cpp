#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <dpvi/gradient/record_gradients.hpp>
#include <dpvi/privacy/collective.hpp>
#include <tests/support/bound_program.hpp>
#include <tests/support/clipped_sum_integers.hpp>
#include <tests/support/lane_neighbours.hpp>

namespace dpvi {
namespace {

// Covers the path from record to integers, as in a private step, on every kind of record.
class RecordGradientsOfHostileRecords : public testing::Test {
 protected:
  RecordGradientsOfHostileRecords() : records_(model_.prepare(raw_table())) {}

  static RecordTable raw_table() {
    RecordTable raw(2, 1);
    std::mt19937_64 engine(8);
    std::normal_distribution<double> law;
    const double extremes[] = {
        0.0, -0.0, 5e-324, 1e-300, 1.0, 1e16, 1e154, -1e200, std::numeric_limits<double>::max()};
    for (const double a : extremes) {
      for (const double b : {law(engine), 1e308, -3.0}) {
        raw.append(std::vector<double>{a, b}, std::vector<std::int32_t>{b > 0.0 ? 1 : 0});
      }
    }
    for (int i = 0; i < 40; ++i) {
      raw.append(std::vector<double>{law(engine), law(engine)}, std::vector<std::int32_t>{i % 2});
      if (i % 7 == 0) raw.append_unusable();
    }
    return raw;
  }

  Integers integers(std::span<const std::uint64_t> chosen, int threads = 1,
                    std::span<const GradientTerm> joint = {}) {
    RecordGradients gradients(model_.tape(), records_, threads);
    ClipSettings settings = settings_;
    if (!joint.empty()) settings.dimension = joint.size();
    ClippedSum sum =
        Collective().reduce(gradients.clipped_sums(settings, coordinates_, theta_, chosen, joint));
    return integers_for_tests(sum);
  }

  std::vector<std::uint64_t> all() const {
    std::vector<std::uint64_t> chosen(records_.record_count());
    std::iota(chosen.begin(), chosen.end(), 0u);
    return chosen;
  }

  const RecordModel model_ = bind_program(kLogisticProgram).model;
  const RecordTable records_;
  const std::vector<double> theta_ = {0.2, -1.3, 0.7};
  const Coordinates coordinates_{{0.1, 0.2, 0.3}, {2.0, 0, 0, -0.7, 0.5, 0, 0.0, 0.3, 1.25}};
  const ClipSettings settings_{
      .grid = NoiseGrid(1.3),
      .clip_bound = 0.8,
      .dimension = 3,
      .max_records = 1000,
      .coordinate = ClipCoordinate{.size = 0.25, .unshortened_share = 0.9}};
};

TEST_F(RecordGradientsOfHostileRecords, ARecordsIntegersDoNotDependOnItsLaneOrNeighbours) {
  for (const std::uint64_t record : all()) {
    const Integers alone = integers(std::vector<std::uint64_t>{record});
    expect_alone_in_every_lane(record, records_.record_count(), alone,
                               [&](const auto& chosen) { return integers(chosen); });
  }
}

TEST_F(RecordGradientsOfHostileRecords, NoRecordMovesTheSumByMoreThanTheBound) {
  const auto bound = static_cast<double>(settings_.grid.integer_bound());
  for (const std::uint64_t record : all()) {
    double square = 0.0;  // exact: integers below 2^24
    for (const std::int64_t n : integers(std::vector<std::uint64_t>{record})) {
      square += static_cast<double>(n) * static_cast<double>(n);
    }
    EXPECT_LE(square, bound * bound);
  }
}

// The paper's gradient with respect to all parameters of the family is clipped as one vector.
TEST_F(RecordGradientsOfHostileRecords, NoRecordMovesAJointSumByMoreThanTheBound) {
  const std::vector<GradientTerm> joint = {{0, 1.0}, {1, 1.0},  {2, 1.0},  {0, 0.5},
                                           {1, 1e6}, {2, -3.0}, {0, 1e300}};
  const auto bound = static_cast<double>(settings_.grid.integer_bound());
  for (const std::size_t terms : {std::size_t{6}, joint.size()}) {
    for (const std::uint64_t record : all()) {
      double square = 0.0;
      for (const std::int64_t n :
           integers(std::vector<std::uint64_t>{record}, 1, std::span(joint).first(terms))) {
        square += static_cast<double>(n) * static_cast<double>(n);
      }
      EXPECT_LE(square, bound * bound);
    }
  }
}

TEST_F(RecordGradientsOfHostileRecords, JointSumHoldsEveryTermAndIsTheSameForAnyNumberOfThreads) {
  const std::vector<GradientTerm> joint = {{0, 1.0}, {1, 1.0}, {2, 1.0}, {0, 0.5}, {2, -1.0}};
  const std::vector<std::uint64_t> one = {40};  // an ordinary record
  const Integers of_one = integers(one, 1, joint);
  ASSERT_NE(of_one[0], 0);
  EXPECT_NEAR(static_cast<double>(of_one[3]), 0.5 * static_cast<double>(of_one[0]), 1.0);
  EXPECT_NEAR(static_cast<double>(of_one[4]), -static_cast<double>(of_one[2]), 1.0);
  const Integers expected = integers(all(), 1, joint);
  for (const int threads : {2, 7}) EXPECT_EQ(integers(all(), threads, joint), expected);
}

// Guarantee: the clipped sum is the same for any number of threads and any order of the
// records.
TEST_F(RecordGradientsOfHostileRecords, SumIsTheSameForAnyNumberOfThreadsAndAnyOrderOfTheRecords) {
  expect_same_for_any_threads_and_order(
      all(), [&](const auto& chosen, int threads) { return integers(chosen, threads); });
}

TEST_F(RecordGradientsOfHostileRecords, UnusableRecordsMoveNothing) {
  const std::vector<std::uint64_t> unusable = {28};  // after 27 extreme and one ordinary record
  EXPECT_EQ(integers(unusable), Integers(4, 0));
}

TEST(RecordGradients, ARecordWithoutAFiniteDensityCountsAsZeroInEveryCoordinate) {
  const RecordModel model = bind_program(R"(
data { int N; vector[N] y; }
parameters { real mu; }
model { target += log(y) * mu; }
)")
                                .model;
  RecordTable raw(1, 0);
  raw.append(std::vector<double>{0.0}, {});   // log 0
  raw.append(std::vector<double>{-1.0}, {});  // NaN
  raw.append(std::vector<double>{2.0}, {});
  const RecordTable records = model.prepare(std::move(raw));
  RecordGradients gradients(model.tape(), records, 1);
  const ClipSettings settings{.grid = NoiseGrid(1.0),
                              .clip_bound = 1.0,
                              .dimension = 1,
                              .max_records = 10,
                              .coordinate = ClipCoordinate{}};
  const auto integers = [&](std::uint64_t record) {
    ClippedSum sum = Collective().reduce(gradients.clipped_sums(
        settings, Coordinates::identity(1), std::vector<double>{0.5}, {&record, 1}));
    return integers_for_tests(sum);
  };
  EXPECT_EQ(integers(0), Integers(2, 0));
  EXPECT_EQ(integers(1), Integers(2, 0));
  EXPECT_NE(integers(2), Integers(2, 0));
}

TEST(RecordGradients, PlainSumIsTheGradientAndTheSameForAnyNumberOfThreads) {
  const RecordModel model = bind_program(kMeanProgram).model;
  RecordTable raw(1, 0);
  double total = 0.0;
  for (int i = 0; i < 3000; ++i) {
    const double y = std::sin(i);
    raw.append(std::vector<double>{y}, {});
    total += y;
  }
  const RecordTable records = model.prepare(std::move(raw));
  std::vector<std::uint64_t> all(records.record_count());
  std::iota(all.begin(), all.end(), 0u);
  const std::vector<double> theta = {0.25};
  const auto sum = [&](int threads) {
    return RecordGradients(model.tape(), records, threads).plain_sum(theta, all).values[0];
  };
  EXPECT_NEAR(sum(1), (total - 3000 * 0.25) / 4.0, 1e-9);
  for (const int threads : {2, 3, 7}) EXPECT_EQ(sum(threads), sum(1));
}

}  // namespace
}  // namespace dpvi
