#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <dpvi/privacy/analytic_gaussian.hpp>
#include <dpvi/privacy/calibration.hpp>
#include <dpvi/privacy/pld.hpp>
#include <dpvi/privacy/published_accountants.hpp>
#include <dpvi/privacy/rdp.hpp>
#include <tests/support/fixed_seed_check.hpp>

namespace dpvi {
namespace {

constexpr Adjacency kAddRemove = Adjacency::add_remove;
constexpr Adjacency kSubstitute = Adjacency::substitute;

// More cases where there is time for them.
int cases(int usual) { return std::getenv("DPVI_SLOW") != nullptr ? 10 * usual : usual; }

double between(double low, double high) {
  // At full size from the first case on, else the range would open up only slowly.
  const int share = *rc::gen::resize(100, rc::gen::inRange(0, 100001));
  return low + (high - low) * share / 100000.0;
}

double logarithmic(double low, double high) {
  return std::exp(between(std::log(low), std::log(high)));
}

struct Question {
  GaussianPhase phase;
  double delta = 0.0;
  Adjacency adjacency = kSubstitute;

  GaussianRun run() const { return {phase}; }
  Bracket epsilon() const { return pld_epsilon(run(), adjacency, delta); }
};

// The whole range of use: q from 1e-7 to 1, s from .3 to 200, T to 1e6, delta from 1e-12 to .1.
Question any_question() {
  Question question;
  question.phase.sampling_rate = logarithmic(1e-7, 1.0);
  question.phase.noise_multiplier = logarithmic(0.3, 200.0);
  question.phase.steps = static_cast<std::int64_t>(logarithmic(1.0, 1e6));
  question.delta = logarithmic(1e-12, 0.1);
  question.adjacency = *rc::gen::element(kSubstitute, kAddRemove);
  return question;
}

void expect_no_counterexample(const std::string& found) { EXPECT_EQ(found, ""); }

TEST(PldProperties, LowerEndIsNeverAboveUpperEnd) {
  expect_no_counterexample(counterexample(
      [] {
        const Bracket epsilon = any_question().epsilon();
        RC_ASSERT(epsilon.lower >= 0.0);
        RC_ASSERT(epsilon.lower <= epsilon.upper);
        RC_ASSERT(std::isfinite(epsilon.upper));
      },
      1, cases(40)));
}

TEST(PldProperties, NeverAboveRenyiNorThatAboveTheClassicConversion) {
  expect_no_counterexample(counterexample(
      [] {
        const Question question = any_question();
        const RdpEpsilon renyi = rdp_epsilon(question.run(), question.adjacency, question.delta);
        RC_ASSERT(question.epsilon().lower <= renyi.epsilon * (1 + 1e-9) + 1e-12);
        const double divergence = rdp(question.run(), question.adjacency, renyi.order);
        const double classic = divergence - std::log(question.delta) / (renyi.order - 1.0);
        RC_ASSERT(renyi.epsilon <= classic * (1 + 1e-12));
      },
      2, cases(25)));
}

TEST(PldProperties, AddRemoveIsNotAboveSubstituteNorThatAboveSamplingWithoutReplacement) {
  expect_no_counterexample(counterexample(
      [] {
        Question question = any_question();
        question.adjacency = kAddRemove;
        const Bracket add_remove = question.epsilon();
        question.adjacency = kSubstitute;
        const Bracket substitute = question.epsilon();
        question.adjacency = kAddRemove;
        question.phase.noise_multiplier /= 2;
        RC_ASSERT(add_remove.lower <= substitute.upper);
        RC_ASSERT(substitute.lower <= question.epsilon().upper);
      },
      3, cases(15)));
}

TEST(PldProperties, MonotoneInRateStepsNoiseAndDelta) {
  expect_no_counterexample(counterexample(
      [] {
        const Question question = any_question();
        const Bracket here = question.epsilon();
        Question more = question;
        switch (*rc::gen::inRange(0, 4)) {
          case 0:
            more.phase.sampling_rate = std::min(1.0, 1.3 * more.phase.sampling_rate);
            break;
          case 1:
            more.phase.steps += 1 + more.phase.steps / 3;
            break;
          case 2:
            more.phase.noise_multiplier /= 1.2;
            break;
          default:
            more.delta /= 5.0;
        }
        RC_ASSERT(here.lower <= more.epsilon().upper);
      },
      4, cases(25)));
}

TEST(PldProperties, WithoutSamplingItIsTheAnalyticGaussian) {
  expect_no_counterexample(counterexample(
      [] {
        Question question = any_question();
        question.phase.sampling_rate = 1.0;
        const double steps = static_cast<double>(question.phase.steps);
        const double shift = (question.adjacency == kSubstitute ? 2.0 : 1.0) * std::sqrt(steps) /
                             question.phase.noise_multiplier;
        const Bracket exact = analytic_gaussian_epsilon(shift, question.delta);
        const Bracket found = question.epsilon();
        RC_ASSERT(found.lower <= exact.upper * (1 + 1e-12));
        RC_ASSERT(exact.lower <= found.upper * (1 + 1e-12));
        RC_ASSERT(found.width() <= 1e-9 * (1.0 + exact.upper));
      },
      5, cases(60)));
}

// A rate just below 1 goes through the Fourier transform and must meet the closed form.
TEST(PldProperties, NearlyWithoutSamplingItMeetsTheClosedFormAtTinyDelta) {
  for (const double delta : {1e-3, 1e-8, 1e-12}) {
    for (const std::int64_t steps : {10, 1000}) {
      const double noise = 3.0 * std::sqrt(static_cast<double>(steps));
      const GaussianRun run{{1.0 - 1e-12, noise, steps}};
      const Bracket exact = analytic_gaussian_epsilon(1.0 / 3.0, delta);
      const Bracket found = pld_epsilon(run, kAddRemove, delta);
      EXPECT_LE(found.lower, exact.upper * (1 + 1e-7)) << delta << " " << steps;
      EXPECT_GE(found.upper, exact.lower * (1 - 1e-7)) << delta << " " << steps;
      EXPECT_LE(found.width(), std::max(1e-3 * exact.upper, 1e-4)) << delta << " " << steps;
    }
  }
}

TEST(PldProperties, SplittingIntoPhasesChangesNothing) {
  expect_no_counterexample(counterexample(
      [] {
        const Question question = any_question();
        RC_PRE(question.phase.steps > 1);
        GaussianPhase first = question.phase, second = question.phase;
        first.steps = question.phase.steps / 3;
        second.steps -= first.steps;
        // Not quite equal, so that they are not simply joined again.
        second.noise_multiplier *= 1.0 + 1e-13;
        const Bracket whole = question.epsilon();
        const Bracket parts =
            pld_epsilon(GaussianRun{first, second}, question.adjacency, question.delta);
        RC_ASSERT(whole.lower <= parts.upper * (1 + 1e-9));
        RC_ASSERT(parts.lower <= whole.upper * (1 + 1e-9));
      },
      6, cases(10)));
}

TEST(PldProperties, DeltaOfEpsilonOfDeltaIsDelta) {
  expect_no_counterexample(counterexample(
      [] {
        const Question question = any_question();
        const Bracket epsilon = question.epsilon();
        const auto delta_at = [&](double value) {
          return pld_delta(question.run(), question.adjacency, value);
        };
        RC_ASSERT(delta_at(epsilon.upper).lower <= question.delta * (1 + 1e-9));
        if (epsilon.lower > 0.0) {
          RC_ASSERT(delta_at(epsilon.lower).upper >= question.delta * (1 - 1e-9));
        }
      },
      7, cases(15)));
}

TEST(PldProperties, NoStepsCostNothing) {
  for (const Adjacency adjacency : {kAddRemove, kSubstitute}) {
    EXPECT_EQ(pld_epsilon(GaussianRun{{0.1, 1.0, 0}}, adjacency, 1e-6).upper, 0.0);
    EXPECT_EQ(pld_delta(GaussianRun{{0.1, 1.0, 0}}, adjacency, 0.0).upper, 0.0);
  }
}

TEST(CalibrationProperties, CertifiedEpsilonIsAtMostTheTargetAndCloseToIt) {
  expect_no_counterexample(counterexample(
      [] {
        const PrivacyTarget target{*rc::gen::element(kSubstitute, kAddRemove),
                                   logarithmic(0.05, 8.0), logarithmic(1e-9, 1e-3)};
        const GaussianPhase phase{logarithmic(1e-3, 1.0), 1.0,
                                  static_cast<std::int64_t>(logarithmic(1.0, 1e4))};
        const CalibratedRun found = calibrate_noise_on_grid({&phase, 1}, target);
        RC_ASSERT(found.epsilon.upper <= target.epsilon);
        RC_ASSERT(found.epsilon.upper >= 0.995 * target.epsilon);
        const Bracket again = pld_epsilon(found.run, target.adjacency, target.delta);
        RC_ASSERT(again.lower <= target.epsilon);
      },
      8, cases(8)));
}

}  // namespace
}  // namespace dpvi
