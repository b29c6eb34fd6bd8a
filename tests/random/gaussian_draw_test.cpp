#include <gtest/gtest.h>

#include <dpvi/random/internal/gaussian_draw.hpp>
#include <dpvi/random/seeded_generator.hpp>
#include <tests/random/oracle.hpp>

namespace dpvi {
namespace {

std::uint64_t floor_word(const Oracle& value) {
  return static_cast<std::uint64_t>(Oracle(floor(value)));
}

// |Z| of a proposal whose position continues with the bits of `more`, then zeros.
Oracle magnitude_of(const GaussianProposal& proposal, std::span<const std::uint64_t> more) {
  Oracle magnitude = Oracle(proposal.magnitude()) * two_to(-25);
  int bits = 25;
  for (const std::uint64_t word : more) magnitude += Oracle(word) * two_to(-(bits += 64));
  return magnitude;
}

// The share of the interval's step height at which the density lies: lower heights are under it.
Oracle boundary(const GaussianProposal& proposal, const Oracle& magnitude) {
  return kGaussianIntervals.peak * exp(-magnitude * magnitude / 2) /
         kGaussianIntervals.weight[proposal.interval];
}

// The decision in MPFR from a proposal and the word pairs in `more`.
bool oracle_keeps(const GaussianProposal& proposal, std::span<const std::uint64_t> more) {
  std::vector<std::uint64_t> position_text;
  Oracle height = Oracle(proposal.height) * two_to(-45);
  int bits = 45;
  for (std::size_t i = 0; i + 1 < more.size(); i += 2) {
    position_text.push_back(more[i]);
    height += Oracle(more[i + 1]) * two_to(-(bits += 64));
  }
  return height < boundary(proposal, magnitude_of(proposal, position_text));
}

// Implements the sampler's specification word by word, with every decision made in MPFR. An
// undecided proposal consumes further words in pairs. The sampler determines how many; the oracle's
// decision does not depend on that.
struct OracleDraw {
  std::uint64_t magnitude;
  bool negative;
  std::size_t words_used;
};

OracleDraw oracle_draw(std::span<const std::uint64_t> words) {
  for (std::size_t used = 0;;) {
    const std::uint64_t choice = words[used++];
    const std::uint64_t point = words[used++];
    const GaussianColumn column = kGaussianIntervals.columns[choice % 1024];
    const std::uint64_t interval =
        choice / 2048 < column.threshold() ? choice % 1024 : column.other();
    const GaussianProposal proposal{interval, point % (1 << 19), point >> 19};
    const bool keeps = oracle_keeps(proposal, words.subspan(used, 8));
    if (judge_in_double(proposal) == Verdict::undecided) {
      std::size_t pairs = 1;
      while (judge_exactly(proposal, words.subspan(used, 2 * pairs)) == Verdict::undecided) ++pairs;
      used += 2 * pairs;
    }
    if (keeps) return {interval * (1 << 19) + proposal.position, (choice / 1024) % 2 == 1, used};
  }
}

// Guarantee: the law of the result is that of a Gaussian cut off at 16 standard deviations,
// exactly. MPFR makes every decision here, and gaussian_intervals_test.cpp checks the tables that
// determine the law of proposals.
TEST(GaussianDraw, AgreesWithTheOracleOnTheSameWords) {
  constexpr std::size_t kDraws = 100'000;
  std::vector<std::uint64_t> words(2 * kDraws + kDraws / 10);
  SeededGenerator(1).stream({StreamLabel::noise, 0, 0}).fill(words);
  ScriptedWords source(words);
  for (std::size_t i = 0; i < kDraws; ++i) {
    const OracleDraw expected = oracle_draw(std::span(words).subspan(source.used()));
    const std::size_t before = source.used();
    const GaussianDraw draw = draw_gaussian(source);
    ASSERT_EQ(draw.magnitude, expected.magnitude);
    ASSERT_EQ(draw.negative, expected.negative);
    ASSERT_EQ(source.used() - before, expected.words_used);
  }
}

// A proposal whose height agrees with the density in its first bits and in the next words.
struct BoundaryCase {
  GaussianProposal proposal;
  std::vector<std::uint64_t> more_text;
};

BoundaryCase boundary_case(SeededStream& words, std::uint64_t interval) {
  BoundaryCase crafted{{interval, words.next() >> 45, 0}, {words.next(), 0, words.next()}};
  const std::uint64_t position_text[] = {crafted.more_text[0], crafted.more_text[2]};
  // The height agrees with the boundary in its first 45 + 64 bits; the last pair follows.
  const Oracle share = boundary(crafted.proposal, magnitude_of(crafted.proposal, position_text));
  const Oracle first = share * two_to(45);
  crafted.proposal.height = floor_word(first);
  const Oracle second = (first - floor(first)) * two_to(64);
  crafted.more_text[1] = floor_word(second);
  crafted.more_text.push_back(floor_word((second - floor(second)) * two_to(64)));
  return crafted;
}

class Boundary : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Intervals, Boundary,
                         testing::Values(0, 1, 2, 63, 64, 100, 300, 511, 594, 600, 700, 1022,
                                         1023));

TEST_P(Boundary, DoubtIsDecidedAsTheOracleDoesOnEitherSide) {
  SeededStream words = SeededGenerator(2).stream({StreamLabel::noise, GetParam(), 0});
  int kept = 0;
  int decided_late = 0;
  for (int i = 0; i < 100; ++i) {
    BoundaryCase crafted = boundary_case(words, GetParam());
    ASSERT_EQ(judge_in_double(crafted.proposal), Verdict::undecided);
    // Half the cases end slightly above the boundary and half slightly below. Later position bits
    // may move the boundary by up to 2^24.
    std::uint64_t& last = crafted.more_text[3];
    const std::uint64_t offset = (2 + words.next() % 64) << 24;
    last += i % 2 == 0 ? offset : -offset;
    for (int pair = 0; pair < 6; ++pair) crafted.more_text.push_back(words.next());
    const bool expected = oracle_keeps(crafted.proposal, crafted.more_text);
    ScriptedWords source(crafted.more_text);
    ASSERT_EQ(lies_under_density(crafted.proposal, source), expected);
    kept += expected ? 1 : 0;
    decided_late += source.used() >= 4 ? 1 : 0;
  }
  EXPECT_GT(kept, 25);
  EXPECT_LT(kept, 75);
  EXPECT_GT(decided_late, 75) << "one more pair of words must not be enough for a boundary case";
}

// In the far tail the step is far above the density. A height of zero must not be accepted too
// early, nor a height just above zero rejected too early.
TEST(GaussianDraw, HeightZeroInTheFarTailIsNotDecidedInDouble) {
  for (const std::uint64_t interval : {800U, 1000U, 1022U, 1023U}) {
    EXPECT_EQ(judge_in_double({interval, 5, 0}), Verdict::undecided);
    const std::uint64_t zeros[] = {0, 0, 0, 0, 0, 0, 0, 0};
    EXPECT_EQ(judge_exactly({interval, 5, 0}, zeros), Verdict::under_density);
    const std::uint64_t small[] = {0, 1ULL << 63};
    EXPECT_EQ(judge_exactly({interval, 5, 0}, small), Verdict::above_density);
  }
}

// The arithmetic has room for eleven pairs of words after an undecided proposal.
TEST(GaussianDraw, ElevenPairsOfWordsFit) {
  std::vector<std::uint64_t> words(22);
  SeededGenerator(4).stream({StreamLabel::noise, 0, 0}).fill(words);
  for (const std::uint64_t interval : {0U, 1023U}) {
    const GaussianProposal proposal{interval, (1 << 19) - 1, (1ULL << 45) - 1};
    EXPECT_EQ(judge_exactly(proposal, words), Verdict::above_density);
  }
}

// Compares decisions in double with MPFR near the boundary, where errors would occur.
TEST(GaussianDraw, DoubleNeverDecidesAgainstTheOracle) {
  SeededStream words = SeededGenerator(3).stream({StreamLabel::noise, 0, 0});
  int decided = 0;
  for (int i = 0; i < 4000; ++i) {
    GaussianProposal proposal{words.next() % 1024, words.next() >> 45, 0};
    const double share = static_cast<double>(boundary(proposal, magnitude_of(proposal, {})));
    // Relative offsets range from 2^-24, inside the margin, to 2^-16.
    const double offset = std::ldexp(1.0, -16 - static_cast<int>(words.next() % 9));
    const double height = share * (i % 2 == 0 ? 1 + offset : 1 - offset) * 0x1p45;
    if (height >= 0x1p45) continue;
    proposal.height = static_cast<std::uint64_t>(height);
    const Verdict verdict = judge_in_double(proposal);
    if (verdict == Verdict::undecided) continue;
    ++decided;
    // Every continuation must agree, including the lowest and the highest point of the cell.
    const std::uint64_t lowest[] = {0, 0};
    const std::uint64_t highest[] = {UINT64_MAX, UINT64_MAX};
    ASSERT_EQ(oracle_keeps(proposal, lowest), verdict == Verdict::under_density);
    ASSERT_EQ(oracle_keeps(proposal, highest), verdict == Verdict::under_density);
  }
  EXPECT_GT(decided, 500);
}

}  // namespace
}  // namespace dpvi
