#include <dpvi/privacy/pld.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include <dpvi/privacy/analytic_gaussian.hpp>
#include <dpvi/privacy/rdp.hpp>
#include <tests/privacy/random_runs.hpp>

namespace dpvi::testing_privacy {
namespace {

constexpr Adjacency kBoth[] = {Adjacency::add_remove, Adjacency::substitute};

// Each property is checked on one random run; `effort` controls the width of the brackets.

void check_order_of_accountants(const PldEffort& effort) {
  const RandomCase c = random_case();
  const GaussianRun run{c.phase};
  for (const Adjacency adjacency : kBoth) {
    const Bracket pld = pld_epsilon(run, adjacency, c.delta, effort);
    const RdpEpsilon renyi = rdp_epsilon(run, adjacency, c.delta);
    const double classic = rdp(run, adjacency, renyi.order) - std::log(c.delta) / (renyi.order - 1);
    RC_LOG(text_of(c));
    RC_ASSERT(pld.lower <= pld.upper);
    RC_ASSERT(std::isfinite(pld.upper));
    RC_ASSERT(pld.lower <= renyi.epsilon * (1 + 1e-12));
    RC_ASSERT(pld.upper <= renyi.epsilon + std::max(2e-2 * renyi.epsilon, 2e-3));
    RC_ASSERT(renyi.epsilon <= classic * (1 + 1e-12));
  }
}

void check_order_of_adjacencies(const PldEffort& effort) {
  RandomCase c = random_case();
  RC_LOG(text_of(c));
  const GaussianRun run{c.phase};
  const Bracket add_remove = pld_epsilon(run, Adjacency::add_remove, c.delta, effort);
  const Bracket substitute = pld_epsilon(run, Adjacency::substitute, c.delta, effort);
  c.phase.noise_multiplier /= 2;  // equivalent to fixed-size sampling without replacement
  const Bracket fixed_size =
      pld_epsilon(GaussianRun{c.phase}, Adjacency::add_remove, c.delta, effort);
  RC_ASSERT(add_remove.lower <= substitute.upper);
  RC_ASSERT(substitute.lower <= fixed_size.upper);
}

void check_monotone(const PldEffort& effort) {
  const RandomCase c = random_case(5e5);
  const auto adjacency = *rc::gen::elementOf(std::vector(std::begin(kBoth), std::end(kBoth)));
  const double factor = log_uniform(1.001, 1.5);
  const auto epsilon = [&](const GaussianPhase& phase, double delta) {
    return pld_epsilon(GaussianRun{phase}, adjacency, delta, effort);
  };
  RC_LOG(text_of(c));
  const Bracket base = epsilon(c.phase, c.delta);
  GaussianPhase more_steps = c.phase, more_often = c.phase, less_noise = c.phase;
  more_steps.steps =
      static_cast<std::int64_t>(std::ceil(factor * static_cast<double>(c.phase.steps)));
  more_often.sampling_rate = std::min(1.0, factor * c.phase.sampling_rate);
  less_noise.noise_multiplier /= factor;
  RC_ASSERT(base.lower <= epsilon(more_steps, c.delta).upper);
  RC_ASSERT(base.lower <= epsilon(more_often, c.delta).upper);
  RC_ASSERT(base.lower <= epsilon(less_noise, c.delta).upper);
  RC_ASSERT(base.lower <= epsilon(c.phase, c.delta / factor).upper);
}

void check_splitting(const PldEffort& effort) {
  const RandomCase c = random_case(1e5);
  const auto adjacency = *rc::gen::elementOf(std::vector(std::begin(kBoth), std::end(kBoth)));
  GaussianPhase first = c.phase, second = c.phase;
  first.steps = *rc::gen::inRange<std::int64_t>(0, c.phase.steps + 1);
  second.steps -= first.steps;
  // A sampling rate that differs in its last bit keeps the phases from being merged.
  second.sampling_rate = std::nextafter(c.phase.sampling_rate, 0.0);
  RC_LOG(text_of(c));
  const Bracket whole = pld_epsilon(GaussianRun{c.phase}, adjacency, c.delta, effort);
  const Bracket split = pld_epsilon(GaussianRun{first, second}, adjacency, c.delta, effort);
  RC_ASSERT(whole.lower <= split.upper * (1 + 1e-12));
  RC_ASSERT(split.lower <= whole.upper * (1 + 1e-12));
}

void check_inverse(const PldEffort& effort) {
  const RandomCase c = random_case(1e5);
  const auto adjacency = *rc::gen::elementOf(std::vector(std::begin(kBoth), std::end(kBoth)));
  const GaussianRun run{c.phase};
  RC_LOG(text_of(c));
  const Bracket epsilon = pld_epsilon(run, adjacency, c.delta, effort);
  RC_ASSERT(pld_delta(run, adjacency, epsilon.upper, effort).lower <= c.delta);
  if (epsilon.lower > 0)
    RC_ASSERT(pld_delta(run, adjacency, epsilon.lower, effort).upper >= c.delta * (1 - 1e-12));
}

TEST(PldProperties, PldIsAtMostRenyiIsAtMostClassicConversion) {
  check_always(40, [] { check_order_of_accountants(kLittleEffort); });
}
TEST(PldProperties, AddRemoveIsAtMostSubstituteIsAtMostFixedSizeSampling) {
  check_always(40, [] { check_order_of_adjacencies(kLittleEffort); });
}
TEST(PldProperties, MoreStepsMoreSamplingLessNoiseAndLessDeltaCostMore) {
  check_always(40, [] { check_monotone(kLittleEffort); });
}
TEST(PldProperties, SplittingARunIntoPhasesChangesNothing) {
  check_always(40, [] { check_splitting(kLittleEffort); });
}
TEST(PldProperties, EpsilonOfDeltaOfEpsilonIsEpsilon) {
  check_always(40, [] { check_inverse(kLittleEffort); });
}

TEST(PldPropertiesSlow, HoldOnManyRunsAtFullEffort) {
  if (std::getenv("DPVI_SLOW") == nullptr) GTEST_SKIP() << "set DPVI_SLOW=1 to run it (minutes)";
  check_always(300, [] { check_order_of_accountants({}); });
  check_always(300, [] { check_order_of_adjacencies({}); });
  check_always(300, [] { check_monotone({}); });
  check_always(300, [] { check_splitting({}); });
  check_always(300, [] { check_inverse({}); });
}

TEST(Pld, BracketsAreAsNarrowAsPromisedOverTheUsualRange) {
  check_always(25, [] {
    RandomCase c;
    c.phase = {log_uniform(1e-3, 1), log_uniform(0.5, 50), std::llround(log_uniform(1, 1e5))};
    c.delta = log_uniform(1e-9, 1e-2);
    RC_LOG(text_of(c));
    const Bracket found = pld_epsilon(GaussianRun{c.phase}, Adjacency::substitute, c.delta);
    RC_ASSERT(found.width() <= std::max(1e-3 * found.upper, 1e-4));
  });
}

TEST(Pld, UnsampledRunsAreTheAnalyticGaussian) {
  check_always(60, [] {
    const RandomCase c = random_case();
    const double noise = c.phase.noise_multiplier;
    const GaussianRun run{{1.0, noise, c.phase.steps}, {1.0, 2 * noise, 4}};
    const double shift = std::sqrt(static_cast<double>(c.phase.steps) + 1) / noise;
    for (const Adjacency adjacency : kBoth) {
      const Bracket exact = analytic_gaussian_epsilon(
          adjacency == Adjacency::substitute ? 2 * shift : shift, c.delta);
      const Bracket found = pld_epsilon(run, adjacency, c.delta);
      RC_LOG(text_of(c));
      RC_ASSERT(found.lower <= exact.upper * (1 + 1e-12));
      RC_ASSERT(exact.lower <= found.upper * (1 + 1e-12));
      RC_ASSERT(found.width() <= 1e-9 * (1 + exact.upper));
    }
  });
}

// A rate just below 1 uses the Fourier transform and must agree with the closed form.
TEST(Pld, NearlyUnsampledRunsMeetTheClosedFormAtTinyDelta) {
  for (const double delta : {1e-3, 1e-8, 1e-12}) {
    for (const std::int64_t steps : {10, 1000}) {
      const double noise = 3.0 * std::sqrt(static_cast<double>(steps));
      const GaussianRun run{{1.0 - 1e-12, noise, steps}};
      const Bracket exact = analytic_gaussian_epsilon(1.0 / 3.0, delta);
      const Bracket found = pld_epsilon(run, Adjacency::add_remove, delta);
      EXPECT_LE(found.lower, exact.upper * (1 + 1e-7)) << delta << " " << steps;
      EXPECT_GE(found.upper, exact.lower * (1 - 1e-7)) << delta << " " << steps;
      EXPECT_LE(found.width(), std::max(1e-3 * exact.upper, 1e-4)) << delta << " " << steps;
    }
  }
}

TEST(Pld, UnsampledAndSampledPhasesComposeTogether) {
  const Bracket almost =
      pld_epsilon(GaussianRun{{1.0, 4.0, 5}, {1 - 1e-12, 4.0, 5}}, Adjacency::substitute, 1e-6);
  const Bracket all = pld_epsilon(GaussianRun{{1.0, 4.0, 10}}, Adjacency::substitute, 1e-6);
  EXPECT_LE(almost.lower, all.upper + 1e-9);
  EXPECT_GE(almost.upper, all.lower - 1e-9);
  EXPECT_LE(almost.width(), 1e-5);
}

TEST(Pld, HundredsOfPhasesCompose) {
  GaussianRun run;
  for (int i = 0; i < 200; ++i) run.push_back({0.01 + 1e-5 * i, 2.0 + 0.001 * i, 5});
  const Bracket found = pld_epsilon(run, Adjacency::add_remove, 1e-5, kLittleEffort);
  const Bracket below =
      pld_epsilon(GaussianRun{{0.01, 2.2, 1000}}, Adjacency::add_remove, 1e-5, kLittleEffort);
  const Bracket above =
      pld_epsilon(GaussianRun{{0.012, 2.0, 1000}}, Adjacency::add_remove, 1e-5, kLittleEffort);
  EXPECT_GE(found.upper, below.lower);
  EXPECT_LE(found.lower, above.upper);
}

TEST(Pld, NothingDoneCostsNothing) {
  for (const Adjacency adjacency : kBoth) {
    for (const GaussianRun& run : {GaussianRun{}, GaussianRun{{0.1, 1.0, 0}, {1.0, 1.0, 0}}}) {
      EXPECT_EQ(pld_epsilon(run, adjacency, 1e-6).upper, 0);
      EXPECT_EQ(pld_epsilon(run, adjacency, 0).upper, 0);
      EXPECT_EQ(pld_delta(run, adjacency, 0).upper, 0);
    }
  }
}

// Guarantee: delta is at most the chance that a record is sampled at all.
TEST(Pld, RecordHardlyEverSampledCostsNoMoreThanThatChance) {
  for (const Adjacency adjacency : kBoth) {
    const GaussianRun run{{1e-18, 0.1, 1'000'000'000'000}};
    EXPECT_EQ(pld_epsilon(run, adjacency, 1.01e-6).upper, 0);
    EXPECT_GT(pld_epsilon(run, adjacency, 0.9e-6, kLittleEffort).upper, 0);
    EXPECT_LE(pld_delta(run, adjacency, 0.5, kLittleEffort).upper, 1e-6 * (1 + 1e-9));
  }
}

TEST(Pld, DeltaTooSmallForADoubleIsNotZero) {
  const GaussianRun run{{0.001, 1.0, 1000}};
  EXPECT_GT(pld_delta(run, Adjacency::substitute, 5000, kLittleEffort).upper, 0);
}

TEST(Pld, NoDeltaLeavesNoFiniteEpsilon) {
  EXPECT_EQ(pld_epsilon(GaussianRun{{0.1, 1.0, 10}}, Adjacency::substitute, 0).upper,
            std::numeric_limits<double>::infinity());
}

TEST(Pld, HopelessCornersStayFiniteAndOrdered) {
  const GaussianRun runs[] = {{{1e-7, 0.3, 1'000'000}},   {{0.01, 0.3, 1'000'000}},
                              {{1e-3, 0.05, 100}},        {{0.5, 1e4, 1000}},
                              {{0.01, 3, 1'000'000'000}}, {{1e-300, 1.0, 10}},
                              {{0.5, 0.01, 3}},           {{1.0, 0.01, 1000}, {0.1, 0.02, 5}}};
  for (const GaussianRun& run : runs) {
    for (const Adjacency adjacency : kBoth) {
      const Bracket found = pld_epsilon(run, adjacency, 1e-8, kLittleEffort);
      SCOPED_TRACE(testing::Message() << run[0].sampling_rate << " " << run[0].noise_multiplier);
      EXPECT_LE(0, found.lower);
      EXPECT_LE(found.lower, found.upper);
      EXPECT_TRUE(std::isfinite(found.upper));
      const Bracket delta = pld_delta(run, adjacency, 1.0, kLittleEffort);
      EXPECT_LE(0, delta.lower);
      EXPECT_LE(delta.lower, delta.upper);
      EXPECT_LE(delta.upper, 1);
    }
  }
}

}  // namespace
}  // namespace dpvi::testing_privacy
