#include <dpvi/privacy/calibration.hpp>

#include <gtest/gtest.h>

#include <cmath>

#include <dpvi/base/error.hpp>
#include <dpvi/privacy/noise_grid.hpp>
#include <tests/privacy/random_runs.hpp>

namespace dpvi::testing_privacy {
namespace {

// Guarantee: a calibrated run's epsilon, as certified by its upper end, is at most the target.
TEST(Calibration, CalibratedEpsilonAsCertifiedByItsUpperEndIsAtMostTheTarget) {
  check_always(25, [] {
    const PrivacyTarget target{*rc::gen::element(Adjacency::add_remove, Adjacency::substitute),
                               log_uniform(0.05, 20), log_uniform(1e-10, 1e-2)};
    const GaussianPhase phase{log_uniform(1e-4, 1), 1.0, std::llround(log_uniform(1, 2e4))};
    const CalibratedRun found = calibrate_noise_on_grid(GaussianRun{phase}, target, kLittleEffort);
    RC_ASSERT(found.epsilon.upper <= target.epsilon);
    const Bracket again = pld_epsilon(found.run, target.adjacency, target.delta, kLittleEffort);
    RC_ASSERT(again.upper == found.epsilon.upper);

    const double s = found.run[0].noise_multiplier;
    const std::int64_t bound = NoiseGrid(s).integer_bound();
    RC_ASSERT(NoiseGrid::with_integer_bound(bound).noise_multiplier() == s);
    // If the bracket is wide, the search does not look for the last step of the grid.
    const bool narrow = found.epsilon.width() <= 1e-3 * target.epsilon;
    if (narrow && bound < NoiseGrid::kLargestIntegerBound) {
      GaussianPhase next = found.run[0];
      next.noise_multiplier = NoiseGrid::with_integer_bound(bound + 1).noise_multiplier();
      RC_ASSERT(
          pld_epsilon(GaussianRun{next}, target.adjacency, target.delta, kLittleEffort).upper >
          target.epsilon);
    }
  });
}

TEST(Calibration, NoiseOffTheGridComesCloseToTheTarget) {
  for (const double epsilon : {0.1, 1.0, 8.0}) {
    const PrivacyTarget target{Adjacency::substitute, epsilon, 1e-6};
    const CalibratedRun found = calibrate_noise(GaussianRun{{0.01, 1.0, 1000}}, target);
    EXPECT_LE(found.epsilon.upper, epsilon);
    EXPECT_GE(found.epsilon.upper, epsilon * (1 - 2e-6));
  }
}

TEST(Calibration, PhasesAreScaledTogether) {
  const GaussianRun relative{{0.01, 1.0, 1000}, {0.05, 4.0, 100}};
  const PrivacyTarget target{Adjacency::add_remove, 1.0, 1e-6};
  const CalibratedRun plain = calibrate_noise(relative, target);
  EXPECT_NEAR(plain.run[1].noise_multiplier, 4 * plain.run[0].noise_multiplier, 1e-12);
  const CalibratedRun grid = calibrate_noise_on_grid(relative, target);
  for (const CalibratedRun& found : {plain, grid}) {
    EXPECT_LE(found.epsilon.upper, 1.0);
    EXPECT_GE(found.epsilon.upper, 1.0 - 1e-5);
  }
  for (const GaussianPhase& phase : grid.run)
    EXPECT_EQ(NoiseGrid(phase.noise_multiplier).noise_multiplier(), phase.noise_multiplier);
}

TEST(Calibration, OneMoreStepWouldMissTheTarget) {
  for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::substitute}) {
    const PrivacyTarget target{adjacency, 1.5, 1e-6};
    CalibratedRun found = calibrate_steps({0.02, 2.0, 0}, target, kLittleEffort);
    EXPECT_LE(found.epsilon.upper, 1.5);
    ++found.run[0].steps;
    EXPECT_GT(pld_epsilon(found.run, adjacency, 1e-6, kLittleEffort).upper, 1.5);
  }
}

TEST(Calibration, ZeroEpsilonIsSolvedByNoiseAlone) {
  const PrivacyTarget target{Adjacency::substitute, 0.0, 1e-4};
  const CalibratedRun found = calibrate_noise(GaussianRun{{0.01, 1.0, 10}}, target, kLittleEffort);
  EXPECT_EQ(found.epsilon.upper, 0);
}

TEST(Calibration, NothingToDoNeedsNoNoise) {
  const CalibratedRun found =
      calibrate_noise_on_grid(GaussianRun{{0.01, 1.0, 0}}, {Adjacency::substitute, 1.0, 1e-6});
  EXPECT_EQ(found.epsilon.upper, 0);
}

std::string_view code_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.code().id;
  }
  return "none";
}

TEST(Calibration, UnsolvableTargetsAreRefused) {
  const auto code = [](const PrivacyTarget& target, const GaussianPhase& phase) {
    return code_of([&] { calibrate_noise_on_grid(GaussianRun{phase}, target, kLittleEffort); });
  };
  EXPECT_EQ(code({Adjacency::substitute, 1e-3, 1e-12}, {1.0, 1.0, 1'000'000'000'000}),
            kNotSolvable.id);
  EXPECT_EQ(code({Adjacency::substitute, 1.0, 0.0}, {0.1, 1.0, 10}), kNotSolvable.id);
  EXPECT_EQ(code_of([] {
              calibrate_steps({1.0, 0.1, 0}, {Adjacency::substitute, 0.1, 1e-6}, kLittleEffort);
            }),
            kNotSolvable.id);
  EXPECT_EQ(code_of([] {
              calibrate_steps({1e-6, 100.0, 0}, {Adjacency::substitute, 10.0, 1e-2}, kLittleEffort);
            }),
            kTooLarge.id);
}

}  // namespace
}  // namespace dpvi::testing_privacy
