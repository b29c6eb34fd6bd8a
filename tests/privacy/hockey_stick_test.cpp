#include <dpvi/privacy/hockey_stick.hpp>

#include <gtest/gtest.h>

#include <cmath>

#include <dpvi/privacy/analytic_gaussian.hpp>
#include <tests/privacy/hockey_stick_oracle.hpp>
#include <tests/privacy/random_runs.hpp>

namespace dpvi::testing_privacy {
namespace {

Direction random_direction() {
  return *rc::gen::element(Direction::remove, Direction::add, Direction::substitute);
}

// Guarantee: lower <= the true value <= upper, rounding errors included.
TEST(HockeyStick, BracketHoldsTheValueOfThreeHundredBits) {
  check_always(400, [] {
    const Direction direction = random_direction();
    const double q = log_uniform(1e-7, 1), s = log_uniform(0.05, 1e4);
    const double epsilon = *rc::gen::element(0.0, log_uniform(1e-6, 30) / s, log_uniform(0.01, 30));
    const double truth = HockeyStickOracle(direction, q, s).delta(epsilon).to_double();
    const Bracket found = one_step_delta(direction, q, s, epsilon);
    RC_ASSERT(found.lower <= truth);
    RC_ASSERT(truth <= found.upper);
    RC_ASSERT(found.width() <= 1e-9 * truth + 1e-16);
  });
}

TEST(HockeyStick, EpsilonBracketsProveThemselves) {
  check_always(100, [] {
    const Direction direction = random_direction();
    const double q = log_uniform(1e-7, 1), s = log_uniform(0.1, 200);
    const double delta = log_uniform(1e-15, 0.1);
    const Bracket epsilon = one_step_epsilon(direction, q, s, delta);
    RC_ASSERT(epsilon.lower <= epsilon.upper);
    RC_ASSERT(epsilon.width() <= 1e-9 * (1 + epsilon.upper));
    const HockeyStickOracle oracle(direction, q, s);
    RC_ASSERT(oracle.delta(epsilon.upper) <= Big(delta));
    RC_ASSERT(epsilon.lower == 0 || Big(delta) <= oracle.delta(epsilon.lower));
  });
}

TEST(HockeyStick, AddingIsPureDifferentialPrivacyAboveItsLargestLoss) {
  EXPECT_EQ(one_step_delta(Direction::add, 0.3, 1.0, -std::log1p(-0.3) + 1e-12).upper, 0.0);
  EXPECT_GT(one_step_delta(Direction::add, 0.3, 1.0, -std::log1p(-0.3) - 1e-3).upper, 0.0);
}

TEST(AnalyticGaussian, TinyDeltasAreExact) {
  // 300-bit values of Phi(m/2 - e/m) - e^e Phi(-m/2 - e/m).
  check_always(50, [] {
    const double shift = log_uniform(1e-3, 10), epsilon = shift * log_uniform(0.1, 12);
    const double truth =
        HockeyStickOracle(Direction::remove, 1, 1 / shift).delta(epsilon).to_double();
    const Bracket found = analytic_gaussian_delta(shift, epsilon);
    RC_ASSERT(std::abs(found.upper - truth) <= 1e-9 * truth);
    RC_ASSERT(std::abs(found.lower - truth) <= 1e-9 * truth);
  });
}

}  // namespace
}  // namespace dpvi::testing_privacy
