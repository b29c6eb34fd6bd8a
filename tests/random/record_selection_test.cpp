#include <gtest/gtest.h>

#include <cmath>

#include <dpvi/random/internal/record_selection.hpp>
#include <dpvi/random/seeded_generator.hpp>
#include <tests/random/oracle.hpp>
#include <tests/support/chi_square.hpp>
#include <tests/support/fixed_key_generator.hpp>

namespace dpvi {
namespace {

Oracle exact_rate(SamplingRate rate) {
  return (Oracle(rate.last_selecting_word()) + 1) * two_to(-64);
}

// The uniform of lane i consists of bit i of successive words, highest bit first.
TEST(BernoulliLanes, EachLaneComparesItsOwnUniformWithTheRate) {
  const SeededGenerator generator(1);
  for (std::uint64_t trial = 0; trial < 2000; ++trial) {
    std::vector<std::uint64_t> words(64);
    generator.stream({StreamLabel::sampling, trial, 0}).fill(words);
    const double rate_asked = std::ldexp(1.0, -static_cast<int>(trial % 20)) * 0.7;
    const SamplingRate rate = SamplingRate::from_double(rate_asked);
    // Some lanes agree with Q - 1 in all bits, or in all but the last, so the last bit decides.
    for (std::size_t lane = 0; lane < 3; ++lane) {
      for (std::size_t bit = 0; bit < 64; ++bit) {
        std::uint64_t wanted = (rate.last_selecting_word() >> (63 - bit)) & 1;
        if (bit == 63) wanted ^= lane == 0 ? 0 : 1;
        words[bit] = (words[bit] & ~(1ULL << lane)) | (wanted << lane);
      }
    }
    ScriptedWords source(words);
    const std::uint64_t selected = bernoulli_lanes(source, rate);
    for (std::size_t lane = 0; lane < 64; ++lane) {
      std::uint64_t uniform = 0;
      for (const std::uint64_t word : words) uniform = 2 * uniform + ((word >> lane) & 1);
      ASSERT_EQ((selected >> lane) & 1, uniform <= rate.last_selecting_word() ? 1U : 0U);
    }
    ASSERT_EQ(source.used(), 64U);
  }
}

TEST(BernoulliLanes, UseAboutSevenWords) {
  const SecureGenerator generator = FixedKeyForTests::generator(1);
  SecureStream stream = generator.stream({StreamLabel::sampling, 0, 0});
  std::vector<std::uint64_t> words(100'000);
  stream.fill(words);
  ScriptedWords source(words);
  for (int i = 0; i < 10'000; ++i) bernoulli_lanes(source, SamplingRate::from_double(0.1));
  EXPECT_LT(static_cast<double>(source.used()) / 10'000, 7.5);
}

// The largest g with U < (1 - q)^g, by MPFR logarithms; all words are bits of U.
std::uint64_t oracle_gap(std::span<const std::uint64_t> words, const Oracle& log_unselected,
                         std::uint64_t limit) {
  Oracle uniform = 0;
  int bits = 0;
  for (const std::uint64_t word : words) uniform += Oracle(word) * two_to(-(bits += 64));
  if (uniform == 0) return limit;
  const Oracle gap = floor(log(uniform) / log_unselected);
  return gap < limit ? static_cast<std::uint64_t>(gap) : limit;
}

constexpr double kRates[] = {0.7, 0.3, 0.02, 0.0123, 1e-3, 1e-4, 1e-6, 1e-9, 0x1p-40, 0x1p-64};

// Guarantee: the gap is the one the infinite bits of U would give.
TEST(GeometricGap, AgreesWithTheOracleOnTheSameWords) {
  const SeededGenerator generator(2);
  for (const double asked : kRates) {
    const SamplingRate rate = SamplingRate::from_double(asked);
    const GeometricGap gap(rate);
    const Oracle log_unselected = log1p(-exact_rate(rate));
    SeededStream stream = generator.stream({StreamLabel::sampling, 0, 0});
    for (int i = 0; i < 10'000; ++i) {
      std::vector<std::uint64_t> words(4);
      stream.fill(words);
      if (i % 10 == 0) words[0] >>= 20 + i % 44;  // small U, large gap, coarse first word
      const std::uint64_t limit = 1 + (stream.next() >> (32 + i % 30));
      ScriptedWords source(words);
      ASSERT_EQ(gap.draw(source, limit), oracle_gap(words, log_unselected, limit)) << asked;
    }
  }
}

// If U is just below (1 - q)^g, the gap is at least g; just above, it is smaller.
TEST(GeometricGap, DoubtIsDecidedAsTheOracleDoesOnEitherSide) {
  SeededStream stream = SeededGenerator(3).stream({StreamLabel::sampling, 0, 0});
  for (const double asked : {0.3, 0.0123, 1e-3, 1e-4, 1e-6, 1e-9}) {
    const SamplingRate rate = SamplingRate::from_double(asked);
    const GeometricGap gap(rate);
    const Oracle log_unselected = log1p(-exact_rate(rate));
    for (int i = 0; i < 200; ++i) {
      const std::uint64_t g = 1 + stream.next() % static_cast<std::uint64_t>(std::ceil(3 / asked));
      const Oracle boundary = pow(1 - exact_rate(rate), Oracle(g));
      const Oracle first = boundary * two_to(64);
      const Oracle second = (first - floor(first)) * two_to(64);
      std::vector<std::uint64_t> words{static_cast<std::uint64_t>(Oracle(floor(first))),
                                       static_cast<std::uint64_t>(Oracle(floor(second))),
                                       stream.next(), stream.next()};
      if (words[1] < 2 || words[1] > UINT64_MAX - 2) continue;
      words[1] += i % 2 == 0 ? 1 : -1ULL;
      ASSERT_FALSE(gap.in_double(words[0], 2 * g).has_value());
      ASSERT_FALSE(gap.exactly(std::span(words).first(1), 2 * g).has_value());
      ScriptedWords source(words);
      const std::uint64_t expected = oracle_gap(words, log_unselected, 2 * g);
      ASSERT_EQ(expected, i % 2 == 0 ? g - 1 : g);
      ASSERT_EQ(gap.draw(source, 2 * g), expected);
    }
  }
}

TEST(GeometricGap, NeverPassesTheLimit) {
  const GeometricGap gap(SamplingRate::from_double(0.01));
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{1}, UINT64_MAX}) {
    ScriptedWords source({first, 5, 5, 5});
    EXPECT_EQ(gap.draw(source, 10), first == UINT64_MAX ? 0U : 10U);
  }
}

using Selection = void (*)(SecureStream&, SamplingRate, RecordRange, std::vector<std::uint64_t>&);
constexpr Selection kLanes = append_by_lanes<SecureStream>;
constexpr Selection kSkipping = append_by_skipping<SecureStream>;

// Counts how often each of the 2^n subsets of n records was selected, in steps that share no words.
std::vector<double> subset_counts(Selection append, SamplingRate rate, std::uint64_t records,
                                  int steps) {
  const SecureGenerator generator = FixedKeyForTests::generator(4);
  SecureStream stream = generator.stream({StreamLabel::sampling, 0, 0});
  std::vector<double> counts(std::size_t{1} << records, 0);
  std::vector<std::uint64_t> selected;
  for (int step = 0; step < steps; ++step) {
    selected.clear();
    append(stream, rate, {100, 100 + records}, selected);
    std::size_t subset = 0;
    for (const std::uint64_t record : selected) subset |= std::size_t{1} << (record - 100);
    counts[subset] += 1;
  }
  return counts;
}

std::vector<double> subset_probabilities(double rate, std::uint64_t records) {
  std::vector<double> probabilities;
  for (std::size_t subset = 0; subset < std::size_t{1} << records; ++subset) {
    const int size = std::popcount(subset);
    probabilities.push_back(std::pow(rate, size) *
                            std::pow(1 - rate, static_cast<int>(records) - size));
  }
  return probabilities;
}

// Guarantee: both ways of selecting records give every subset its probability, including the empty
// one. The test has the power to detect draws at 1.01 times the rate.
TEST(RecordSelection, BothWaysGiveEverySubsetItsProbability) {
  constexpr int kSteps = 2'000'000;
  constexpr std::uint64_t kRecords = 6;
  for (const double asked : {0.5, 0.3, 0.1}) {
    const SamplingRate rate = SamplingRate::from_double(asked);
    const SamplingRate higher = SamplingRate::from_double(1.01 * asked);
    const std::vector<double> exact = subset_probabilities(asked, kRecords);
    for (const Selection append : {kLanes, kSkipping}) {
      EXPECT_GT(chi_square_p_value(subset_counts(append, rate, kRecords, kSteps), exact),
                kFalseAlarm);
      EXPECT_LT(chi_square_p_value(subset_counts(append, higher, kRecords, kSteps), exact),
                kFalseAlarm);
    }
  }
}

TEST(RecordSelection, CostDependsOnSelectedRecordsNotOnAllOfThem) {
  std::vector<std::uint64_t> words(10'000);
  SeededGenerator(5).stream({StreamLabel::sampling, 0, 0}).fill(words);
  ScriptedWords source(words);
  std::vector<std::uint64_t> selected;
  append_selected(source, SamplingRate::from_double(1e-6), {0, 1'000'000'000}, selected);
  EXPECT_LE(source.used(), selected.size() + 2);
  EXPECT_NEAR(static_cast<double>(selected.size()), 1000, 5 * std::sqrt(1000));
}

}  // namespace
}  // namespace dpvi
