#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <tests/support/attacked_loop.hpp>

// Reads off the releases which records took part in each step of the production loop. Every record
// has a gradient along its own coordinate, and the noise is 1/64 of the clip bound.

namespace dpvi {
namespace {

constexpr double kNoise = 1.0 / 64.0;
constexpr double kStandardErrors = 5.0;

using Batches = std::vector<std::uint64_t>;  // bit i: record i took part

Gradients one_coordinate_each(std::size_t records) {
  Gradients gradients(records, std::vector<double>(records, 0.0));
  for (std::size_t i = 0; i < records; ++i) gradients[i][i] = 3.0;
  return gradients;
}

Batches batches_of(std::size_t records, double rate, std::int64_t steps, std::uint64_t key) {
  const AttackedLoop loop(records);
  Batches batches;
  const AttackedRun run{
      .sampling_rate = rate, .grid = NoiseGrid(kNoise), .steps = steps, .key = key};
  for (const auto& values : loop.releases(loop.table(one_coordinate_each(records)), run)) {
    std::uint64_t batch = 0;
    for (std::size_t i = 0; i < records; ++i) {
      batch |= std::uint64_t{values[i] > 0.5} << i;
    }
    batches.push_back(batch);
  }
  return batches;
}

double distance_in_standard_errors(double hits, double trials, double probability) {
  return std::fabs(hits - trials * probability) /
         std::sqrt(trials * probability * (1.0 - probability));
}

class SampledBatches : public testing::Test {
 protected:
  static constexpr std::size_t kRecords = 20;
  static constexpr double kRate = 0.1;
  static constexpr std::int64_t kSteps = 10000;

  static const Batches& batches() {
    static const Batches kAll = batches_of(kRecords, kRate, kSteps, 11);
    return kAll;
  }
};

// Guarantee: each call of take() is one Poisson-sampled Gaussian step with the sampling rate and
// the noise multiplier of its phase. This test checks the rate.
// With 200 000 decisions, a rate that is 5 % too large is 7 standard errors away.
TEST_F(SampledBatches, RecordsTakePartAtTheStatedRate) {
  double all = 0.0;
  for (std::size_t i = 0; i < kRecords; ++i) {
    double count = 0.0;
    for (const std::uint64_t batch : batches()) count += static_cast<double>(batch >> i & 1u);
    EXPECT_LT(distance_in_standard_errors(count, kSteps, kRate), kStandardErrors) << "record " << i;
    all += count;
  }
  EXPECT_LT(distance_in_standard_errors(all, kSteps * kRecords, kRate), kStandardErrors);
}

// Two steps agree about a record with probability q^2 + (1 - q)^2, at every lag.
TEST_F(SampledBatches, StepsAreIndependentOfEachOther) {
  const double agree = kRate * kRate + (1.0 - kRate) * (1.0 - kRate);
  for (std::size_t lag = 1; lag <= batches().size() / 2; ++lag) {
    double agreements = 0.0, trials = 0.0;
    for (std::size_t t = lag; t < batches().size(); ++t) {
      agreements += static_cast<double>(kRecords) -
                    static_cast<double>(std::popcount(batches()[t] ^ batches()[t - lag]));
      trials += static_cast<double>(kRecords);
    }
    // The tolerance is one standard error wider because 5000 lags are tested.
    ASSERT_LT(distance_in_standard_errors(agreements, trials, agree), kStandardErrors + 1.0)
        << "steps " << lag << " apart";
  }
}

// This holds for any batch size: 24 000 noise draws stay within 6 standard deviations.
TEST_F(SampledBatches, RecordsMoveTheReleaseByOneBound) {
  const AttackedLoop loop(kRecords);
  const AttackedRun run{
      .sampling_rate = kRate, .grid = NoiseGrid(kNoise), .steps = 1200, .clip_bound = 2.5};
  for (const auto& values : loop.releases(loop.table(one_coordinate_each(kRecords)), run)) {
    for (const double value : values) {
      ASSERT_NEAR(value, value > 0.5 ? 1.0 : 0.0, 6.0 * kNoise);
    }
  }
}

TEST_F(SampledBatches, RecordsAreIndependentOfEachOther) {
  for (std::size_t i = 0; i < kRecords; ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      double both = 0.0;
      for (const std::uint64_t batch : batches()) {
        both += static_cast<double>(batch >> i & batch >> k & 1u);
      }
      EXPECT_LT(distance_in_standard_errors(both, kSteps, kRate * kRate), kStandardErrors + 0.5)
          << "records " << i << " and " << k;
    }
  }
}

// Guarantee: each call of take() is one Poisson-sampled Gaussian step with the sampling rate and
// the noise multiplier of its phase. An empty batch is a step like any other.
// With 4 records at rate 0.2, two steps in five select no record. Empty batches are ordinary steps
// and are not filled up.
TEST(SmallTables, BatchesAreBinomialAndMayBeEmpty) {
  constexpr std::size_t kFew = 4;
  constexpr double kLargeRate = 0.2;
  const Batches batches = batches_of(kFew, kLargeRate, 5000, 12);
  std::vector<double> seen(kFew + 1, 0.0);
  for (const std::uint64_t batch : batches) {
    seen[static_cast<std::size_t>(std::popcount(batch))] += 1.0;
  }
  const double choose[] = {1.0, 4.0, 6.0, 4.0, 1.0};
  for (std::size_t size = 0; size <= kFew; ++size) {
    const double probability = choose[size] * std::pow(kLargeRate, static_cast<double>(size)) *
                               std::pow(1.0 - kLargeRate, static_cast<double>(kFew - size));
    EXPECT_LT(distance_in_standard_errors(seen[size], 5000, probability), kStandardErrors)
        << size << " records";
  }
}

TEST(SmallTables, ATableWithoutRecordsReleasesEveryStep) {
  const AttackedLoop loop(3);
  EXPECT_EQ(loop.releases(loop.table({}), {.sampling_rate = 0.5, .steps = 40}).size(), 40u);
}

TEST(SmallTables, AtRateOneEveryRecordTakesPartInEveryStep) {
  for (const std::uint64_t batch : batches_of(7, 1.0, 50, 13)) EXPECT_EQ(batch, 127u);
}

}  // namespace
}  // namespace dpvi
