#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <numeric>
#include <type_traits>

#include <dpvi/random/poisson_sampling.hpp>
#include <tests/support/chi_square.hpp>
#include <tests/support/fixed_key_generator.hpp>

namespace dpvi {
namespace {

template <class Generator>
concept SamplingSource = requires(const PoissonSampler& sampler, const Generator& generator) {
  sampler.sample(generator, 0);
};
static_assert(SamplingSource<SecureGenerator>);
static_assert(!SamplingSource<SeededGenerator>, "a batch anybody can repeat amplifies nothing");

PoissonSampler sampler_of(double rate, std::uint64_t records) {
  return PoissonSampler(SamplingRate::from_double(rate), records);
}

// Rates on both sides of the switch from lanes to skipping.
class EveryRate : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Rates, EveryRate, testing::Values(0.5, 0.1, 0.02, 0.0199, 0.005));

// Histogram of batch sizes. The batches are small, and many are empty at the low rates.
std::vector<double> size_counts(double rate, std::uint64_t records, std::uint64_t steps) {
  const SecureGenerator generator = FixedKeyForTests::generator(1);
  const PoissonSampler sampler = sampler_of(rate, records);
  std::vector<double> counts(records + 1, 0);
  for (std::uint64_t step = 0; step < steps; ++step) {
    counts[sampler.sample(generator, step).size()] += 1;
  }
  return counts;
}

TEST_P(EveryRate, BatchSizeIsBinomialIncludingEmptyBatches) {
  constexpr std::uint64_t kRecords = 100;
  const std::vector<double> counts = size_counts(GetParam(), kRecords, 300'000);
  std::vector<double> binomial;
  for (std::uint64_t size = 0; size <= kRecords; ++size) {
    binomial.push_back(
        boost::math::pdf(boost::math::binomial(static_cast<double>(kRecords), GetParam()), size));
  }
  EXPECT_GT(chi_square_p_value(counts, binomial), kFalseAlarm);
}

// The total and per-record counts lie within 5 standard errors. A rate that is off by 1 % is more
// than 20 standard errors off in the total.
TEST_P(EveryRate, EveryRecordTakesPartAtTheRate) {
  constexpr std::uint64_t kRecords = 70'000;  // more than one block
  const double rate = GetParam();
  const auto steps = static_cast<std::uint64_t>(100 / rate);
  const SecureGenerator generator = FixedKeyForTests::generator(2);
  const PoissonSampler sampler = sampler_of(rate, kRecords);
  std::vector<double> times(kRecords, 0);
  for (std::uint64_t step = 0; step < steps; ++step) {
    for (const std::uint64_t record : sampler.sample(generator, step)) times[record] += 1;
  }
  const double trials = static_cast<double>(steps);
  const double total = std::accumulate(times.begin(), times.end(), 0.0);
  const double variance = rate * (1 - rate) * trials;
  const double expected = rate * trials * kRecords;
  EXPECT_NEAR(total, expected, 5 * std::sqrt(variance * kRecords));
  EXPECT_GT(0.01 * expected, 20 * std::sqrt(variance * kRecords));
  // The sum of squared deviations is chi-square and nearly normal. Its variance is 2 per record,
  // plus a small term for the kurtosis of a binomial count.
  double squares = 0;
  double worst = 0;
  for (const double count : times) {
    const double deviation = (count - rate * trials) / std::sqrt(variance);
    squares += deviation * deviation;
    worst = std::max(worst, std::abs(deviation));
  }
  const double excess = (1 - 6 * rate * (1 - rate)) / variance;
  EXPECT_NEAR(squares, kRecords, 5 * std::sqrt((2 + excess) * kRecords));
  EXPECT_LT(worst, 6.5);  // 70 000 counts, each with tail probability about 1e-9 (mean 100)
}

// Compares the number of joint occurrences of two events with the product of their rates, within 5
// standard errors. Neighbouring pairs share an event, which adds the second term to the variance.
void expect_product(double both, double trials, double rate) {
  const double square = rate * rate;
  const double variance = square * (1 - square) + 2 * square * rate * (1 - rate);
  EXPECT_NEAR(both, trials * square, 5 * std::sqrt(trials * variance));
}

TEST_P(EveryRate, RecordsAndStepsAreIndependent) {
  constexpr std::uint64_t kRecords = 20'000;
  const double rate = GetParam();
  const SecureGenerator generator = FixedKeyForTests::generator(3);
  const PoissonSampler sampler = sampler_of(rate, kRecords);
  constexpr std::size_t kLags[] = {1, 2, 63, 64, 65};
  double with_lag[5] = {};
  double in_both_steps = 0;
  std::vector<char> before(kRecords, 0);
  const int steps = 400;
  for (int step = 0; step <= steps; ++step) {
    std::vector<char> now(kRecords, 0);
    for (const std::uint64_t record : sampler.sample(generator, static_cast<std::uint64_t>(step))) {
      now[record] = 1;
    }
    for (std::size_t i = 0; i < kRecords; ++i) {
      in_both_steps += now[i] & before[i];
      for (std::size_t k = 0; k < 5 && step > 0; ++k) {
        if (i >= kLags[k]) with_lag[k] += now[i] & now[i - kLags[k]];
      }
    }
    before = std::move(now);
  }
  expect_product(in_both_steps, static_cast<double>(steps) * kRecords, rate);
  for (std::size_t k = 0; k < 5; ++k) {
    expect_product(with_lag[k], steps * static_cast<double>(kRecords - kLags[k]), rate);
  }
}

TEST_P(EveryRate, BlocksAreIndependent) {
  const SecureGenerator generator = FixedKeyForTests::generator(7);
  const PoissonSampler sampler = sampler_of(GetParam(), 1 << 17);
  ASSERT_EQ(sampler.block_count(), 2U);
  constexpr std::uint64_t kSteps = 200;
  double in_both_blocks = 0;
  for (std::uint64_t step = 0; step < kSteps; ++step) {
    std::vector<char> in_first(sampler.block_size(), 0);
    for (const std::uint64_t record : sampler.sample(generator, step)) {
      if (record < sampler.block_size()) {
        in_first[record] = 1;
      } else {
        in_both_blocks += in_first[record - sampler.block_size()];
      }
    }
  }
  expect_product(in_both_blocks, static_cast<double>(kSteps * sampler.block_size()), GetParam());
}

TEST_P(EveryRate, BlocksInOrderMakeTheStepAndRecordsIncrease) {
  const SecureGenerator generator = FixedKeyForTests::generator(4);
  const PoissonSampler sampler = sampler_of(GetParam(), 300'000);
  ASSERT_GT(sampler.block_count(), 1U);
  std::vector<std::uint64_t> records{1'000'000};  // existing entries are kept
  for (std::uint64_t block = 0; block < sampler.block_count(); ++block) {
    const std::size_t first = records.size();
    sampler.append_block(generator, 9, block, records);
    for (std::size_t i = first; i < records.size(); ++i) {
      ASSERT_EQ(records[i] / sampler.block_size(), block);
    }
  }
  EXPECT_EQ(records.front(), 1'000'000U);
  records.erase(records.begin());
  EXPECT_EQ(records, sampler.sample(generator, 9));
  EXPECT_EQ(std::ranges::adjacent_find(records, std::greater_equal<>()), records.end());
  EXPECT_LT(records.back(), 300'000U);
}

TEST_P(EveryRate, SeededSampleHasTheSameLawAndIsRepeatable) {
  const PoissonSampler sampler = sampler_of(GetParam(), 200'000);
  const std::vector<std::uint64_t> records = sampler.sample_not_private(SeededGenerator(1), 2);
  EXPECT_EQ(records, sampler.sample_not_private(SeededGenerator(1), 2));
  EXPECT_NE(records, sampler.sample_not_private(SeededGenerator(1), 3));
  const double expected = GetParam() * 200'000;
  EXPECT_NEAR(static_cast<double>(records.size()), expected, 5 * std::sqrt(expected));
}

TEST(PoissonSampler, RateOneSelectsEveryRecordOnce) {
  for (const std::uint64_t count : {0U, 1U, 63U, 64U, 65U, 65535U, 65536U, 65537U, 200'000U}) {
    const std::vector<std::uint64_t> records =
        sampler_of(1.0, count).sample(FixedKeyForTests::generator(5), 0);
    std::vector<std::uint64_t> all(count);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(records, all);
  }
}

// The expected number of selected records is 2^-24, so selecting any has probability 6e-8.
TEST(PoissonSampler, SmallestRateOnAHugeTableSelectsNobody) {
  const PoissonSampler sampler = sampler_of(0x1p-64, std::uint64_t{1} << 40);
  const SecureGenerator generator = FixedKeyForTests::generator(6);
  EXPECT_TRUE(sampler.sample(generator, 0).empty());
}

TEST(PoissonSampler, EmptyTableGivesEmptyBatches) {
  const SecureGenerator generator = FixedKeyForTests::generator(6);
  EXPECT_TRUE(sampler_of(0.1, 0).sample(generator, 0).empty());
  EXPECT_EQ(sampler_of(0.1, 0).block_count(), 0U);
}

// Repeating a run on another machine requires the same block sizes; they depend on the rate alone.
TEST(PoissonSampler, BlockSizeGrowsAsTheRateFalls) {
  EXPECT_EQ(sampler_of(1, 5).block_size(), 1U << 16);
  EXPECT_EQ(sampler_of(0.1, 5).block_size(), 1U << 16);
  EXPECT_EQ(sampler_of(0x1p-10, 5).block_size(), 1U << 16);
  EXPECT_EQ(sampler_of(0x1p-11, 5).block_size(), 1U << 17);
  EXPECT_EQ(sampler_of(1e-6, 5).block_size(), 1U << 26);
  EXPECT_EQ(sampler_of(1e-6, 1'000'000'000).block_size(), 1U << 26);
  EXPECT_EQ(sampler_of(0x1p-64, 5).block_size(), 1ULL << 32);
}

}  // namespace
}  // namespace dpvi
