#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <dpvi/random/internal/round_draw.hpp>
#include <dpvi/random/rounded_gaussian.hpp>
#include <dpvi/random/seeded_generator.hpp>
#include <tests/random/oracle.hpp>
#include <tests/support/chi_square.hpp>
#include <tests/support/fixed_key_generator.hpp>

namespace dpvi {
namespace {

template <class Stream>
concept NoiseSource =
    requires(Stream& stream, std::span<std::int64_t> sums) { add_rounded_gaussian(stream, sums); };
static_assert(NoiseSource<SecureStream>);
static_assert(!NoiseSource<SeededStream>, "noise anybody can repeat protects nobody");

std::vector<std::int64_t> noise(std::uint64_t key, const StreamAddress& address,
                                std::size_t count) {
  const SecureGenerator generator = FixedKeyForTests::generator(key);
  SecureStream stream = generator.stream(address);
  std::vector<std::int64_t> draws(count, 0);
  add_rounded_gaussian(stream, draws);
  return draws;
}

constexpr double kDeviation = 0x1p24;

// P(round(deviation * Z) = k) for |k| <= limit; the last cell holds the remaining mass.
std::vector<double> exact_pmf(double deviation, int limit) {
  std::vector<double> pmf;
  Oracle left = 1;
  for (int k = -limit; k <= limit; ++k) {
    const Oracle inner = (Oracle(std::abs(k)) - Oracle(0.5)) / deviation;
    const Oracle outer = (Oracle(std::abs(k)) + Oracle(0.5)) / deviation;
    const Oracle mass = k == 0 ? Oracle(1 - gaussian_two_tails(outer))
                               : (gaussian_two_tails(inner) - gaussian_two_tails(outer)) / 2;
    left -= mass;
    pmf.push_back(static_cast<double>(mass));
  }
  pmf.push_back(static_cast<double>(left));
  return pmf;
}

// Counts of round(2^kBits * Z), in the cells of exact_pmf.
template <int kBits>
std::vector<double> counts_of_rounded(std::size_t draws, int limit) {
  const SecureGenerator generator = FixedKeyForTests::generator(kBits);
  SecureStream stream = generator.stream({StreamLabel::noise, 0, 0});
  std::vector<double> counts(2 * static_cast<std::size_t>(limit) + 2, 0);
  for (std::size_t i = 0; i < draws; ++i) {
    const std::int64_t value = round_draw<kBits>(draw_gaussian(stream));
    const bool inside = std::abs(value) <= limit;
    counts[inside ? static_cast<std::size_t>(value + limit) : counts.size() - 1] += 1;
  }
  return counts;
}

// The draws must fit the exact law and must not fit one that is 1 % wider or narrower.
template <int kBits>
void expect_exact_law_at_small_deviation() {
  constexpr double kSmall = 1 << kBits;
  constexpr int kLimit = 8 << kBits;
  const std::vector<double> counts = counts_of_rounded<kBits>(2'000'000, kLimit);
  EXPECT_GT(chi_square_p_value(counts, exact_pmf(kSmall, kLimit)), kFalseAlarm);
  EXPECT_LT(chi_square_p_value(counts, exact_pmf(1.01 * kSmall, kLimit)), kFalseAlarm);
  EXPECT_LT(chi_square_p_value(counts, exact_pmf(0.99 * kSmall, kLimit)), kFalseAlarm);
}

TEST(RoundedGaussian, HasTheExactLawAtDeviationOne) { expect_exact_law_at_small_deviation<0>(); }
TEST(RoundedGaussian, HasTheExactLawAtDeviationTwo) { expect_exact_law_at_small_deviation<1>(); }
TEST(RoundedGaussian, HasTheExactLawAtDeviationEight) { expect_exact_law_at_small_deviation<3>(); }
TEST(RoundedGaussian, HasTheExactLawAtDeviation64) { expect_exact_law_at_small_deviation<6>(); }

// Rounding to 24 bits and to fewer bits are the same operation on the same draw.
TEST(RoundedGaussian, IsTheDrawRoundedToNearest) {
  for (const std::uint64_t magnitude : {0ULL, 1ULL, 2ULL, 3ULL, 4ULL, (16ULL << 25) - 1}) {
    const double grid_steps = (static_cast<double>(magnitude) + 0.5) / 2;
    EXPECT_EQ(round_draw<24>({magnitude, false}), std::llround(grid_steps));
    EXPECT_EQ(round_draw<24>({magnitude, true}), -std::llround(grid_steps));
  }
  EXPECT_EQ(round_draw<24>({(16ULL << 25) - 1, false}), kNoiseLimit);
}

TEST(RoundedGaussian, AddsOneDrawOfTheSamplerToEachSum) {
  const SecureGenerator generator = FixedKeyForTests::generator(7);
  const StreamAddress address{StreamLabel::noise, 5, 6};
  std::vector<std::int64_t> sums(1000);
  std::iota(sums.begin(), sums.end(), -(std::int64_t{1} << 61));
  const std::vector<std::int64_t> before = sums;
  SecureStream stream = generator.stream(address);
  add_rounded_gaussian(stream, sums);
  SecureStream again = generator.stream(address);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    ASSERT_EQ(sums[i] - before[i], round_draw<kNoiseBits>(draw_gaussian(again)));
  }
}

// Moments of a standard Gaussian, each within 5 standard errors. The standard error of the variance
// is 0.05 %, so a standard deviation that is off by 1 % is 40 standard errors off.
TEST(RoundedGaussian, MomentsAreThoseOfDeviationTwoToThe24) {
  constexpr std::size_t kDraws = 8'000'000;
  double sum[7] = {};
  for (const std::int64_t draw : noise(8, {StreamLabel::noise, 0, 0}, kDraws)) {
    double power = 1;
    for (double& moment : sum) {
      moment += power;
      power *= static_cast<double>(draw) / kDeviation;
    }
  }
  const double expected[] = {1, 0, 1, 0, 3, 0, 15};
  const double variance[] = {0, 1, 2, 15, 96, 945, 10170};  // Var(Z^k) = E Z^2k - (E Z^k)^2
  for (int k = 1; k <= 6; ++k) {
    EXPECT_NEAR(sum[k] / kDraws, expected[k], 5 * std::sqrt(variance[k] / kDraws)) << k;
  }
}

// Kolmogorov-Smirnov test: sqrt(n) D exceeds 2.7 with probability below 1e-6.
TEST(RoundedGaussian, DistributionFunctionIsTheGaussianOne) {
  constexpr std::size_t kDraws = 2'000'000;
  std::vector<std::int64_t> draws = noise(9, {StreamLabel::noise, 0, 0}, kDraws);
  std::ranges::sort(draws);
  double exact = 0;
  double one_percent_wider = 0;
  for (std::size_t i = 0; i < kDraws; ++i) {
    const double share = (static_cast<double>(i) + 0.5) / kDraws;
    const double z = static_cast<double>(draws[i]) / kDeviation;
    exact = std::max(exact, std::abs(share - std::erfc(-z / std::sqrt(2.0)) / 2));
    one_percent_wider =
        std::max(one_percent_wider, std::abs(share - std::erfc(-z / 1.01 / std::sqrt(2.0)) / 2));
  }
  EXPECT_LT(std::sqrt(kDraws) * exact, 2.7);
  EXPECT_GT(std::sqrt(kDraws) * one_percent_wider, 2.7);
}

// Counts beyond 1 to 5 standard deviations on either side are each within 5 standard errors.
TEST(RoundedGaussian, TailsHaveTheirProbabilities) {
  constexpr std::size_t kDraws = 30'000'000;
  const SecureGenerator generator = FixedKeyForTests::generator(10);
  SecureStream stream = generator.stream({StreamLabel::noise, 0, 0});
  double above[6] = {};
  double below[6] = {};
  for (std::size_t i = 0; i < kDraws; ++i) {
    const auto z = static_cast<double>(round_draw<24>(draw_gaussian(stream))) / kDeviation;
    for (int k = 1; k <= 5; ++k) {
      above[k] += z > k ? 1 : 0;
      below[k] += z < -k ? 1 : 0;
    }
  }
  for (int k = 1; k <= 5; ++k) {
    const double expected = kDraws * static_cast<double>(gaussian_two_tails(k)) / 2;
    EXPECT_NEAR(above[k], expected, 5 * std::sqrt(expected)) << k;
    EXPECT_NEAR(below[k], expected, 5 * std::sqrt(expected)) << k;
  }
}

// No count reaches far into the tail. Instead, given its interval, a proposal must be accepted with
// the probability given by the Gaussian mass of that interval, within 5 standard errors.
class FarTail : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Intervals, FarTail,
                         testing::Values(0, 1, 64, 256, 320, 384, 448, 512, 560, 580));

TEST_P(FarTail, ProposalsAreKeptInProportionToTheMassOfTheirInterval) {
  const std::uint64_t interval = GetParam();
  const Oracle mass =
      (gaussian_two_tails(Oracle(interval) / 64) - gaussian_two_tails(Oracle(interval + 1) / 64)) /
      2;
  const Oracle area = sqrt(2 * acos(Oracle(-1))) * mass;  // integral of exp(-x^2 / 2)
  const double expected = static_cast<double>(64 * area * kGaussianIntervals.peak /
                                              kGaussianIntervals.weight[interval]);
  const SecureGenerator generator = FixedKeyForTests::generator(11);
  SecureStream stream = generator.stream({StreamLabel::noise, interval, 0});
  constexpr int kProposals = 1'000'000;
  double kept = 0;
  for (int i = 0; i < kProposals; ++i) {
    const std::uint64_t point = stream.next();
    const GaussianProposal proposal{interval, point & ((1 << 19) - 1), point >> 19};
    kept += proposal.height < kGaussianIntervals.surely_below[interval] ||
                    lies_under_density(proposal, stream)
                ? 1
                : 0;
  }
  const double standard_error = std::sqrt(expected * (1 - expected) / kProposals);
  EXPECT_NEAR(kept / kProposals, expected, 5 * standard_error);
}

// A floating-point sampler would show in the low bits. Here the low byte is uniform to within
// exp(-2 pi^2 2^32), so a plain chi-square test applies.
TEST(RoundedGaussian, LowBitsAreUniform) {
  std::vector<double> counts(256, 0);
  for (const std::int64_t draw : noise(12, {StreamLabel::noise, 0, 0}, 4'000'000)) {
    counts[static_cast<std::size_t>(draw & 255)] += 1;
  }
  const std::vector<double> uniform(256, 1.0 / 256);
  EXPECT_GT(chi_square_p_value(counts, uniform), kFalseAlarm);
}

double correlation(std::span<const std::int64_t> a, std::span<const std::int64_t> b,
                   double (*of)(double)) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += of(static_cast<double>(a[i]) / kDeviation) * of(static_cast<double>(b[i]) / kDeviation);
  }
  return sum / static_cast<double>(a.size());
}

// Products of functions with mean 0 and variance 1 have mean 0 within 5 standard errors.
void expect_independent(std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
  const double standard_error = 1 / std::sqrt(static_cast<double>(a.size()));
  EXPECT_NEAR(correlation(a, b, [](double z) { return z; }), 0, 5 * standard_error);
  EXPECT_NEAR(correlation(a, b, [](double z) { return (z * z - 1) / std::sqrt(2.0); }), 0,
              5 * standard_error);
  EXPECT_NEAR(correlation(a, b, [](double z) { return z < 0 ? -1.0 : 1.0; }), 0,
              5 * standard_error);
}

TEST(RoundedGaussian, CoordinatesStepsAndBlocksAreIndependent) {
  constexpr std::size_t kDraws = 1'000'000;
  const std::vector<std::int64_t> draws = noise(13, {StreamLabel::noise, 4, 4}, kDraws);
  for (const std::size_t lag : {1U, 2U, 3U, 128U}) {
    expect_independent(std::span(draws).first(kDraws - lag), std::span(draws).subspan(lag));
  }
  expect_independent(draws, noise(13, {StreamLabel::noise, 5, 4}, kDraws));
  expect_independent(draws, noise(13, {StreamLabel::noise, 4, 5}, kDraws));
  expect_independent(draws, noise(14, {StreamLabel::noise, 4, 4}, kDraws));
}

}  // namespace
}  // namespace dpvi
