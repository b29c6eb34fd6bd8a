#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <dpvi/fit/train/fit_status.hpp>

namespace dpvi {
namespace {

FitEvidence good() {
  return {.names = {"a", "b"},
          .location = {1.0, 2.0},
          .total_sd = {0.1, 0.2},
          .optimisation = Optimisation::stationary,
          .drift = {0.05, -0.1},
          .remaining_move = {0.05, 0.0},
          .hidden_move = {0.0, 0.1},
          .clip_bias = {0.0, 0.05},
          .prior = PriorSpread{{0.0, 0.0}, {1.0, 3.0}},
          .outputs_usable = true};
}

void expect_reason(const FitEvidence& evidence, FitStatus status, const std::string& parameter) {
  const FitVerdict verdict = judge_fit(evidence);
  EXPECT_EQ(verdict.status, status);
  ASSERT_EQ(verdict.reasons.size(), 1U);
  EXPECT_EQ(verdict.reasons[0].status, status);
  EXPECT_EQ(verdict.reasons[0].parameters, (std::vector<std::string>{parameter}));
}

TEST(FitStatus, NothingAgainstAFitIsOk) {
  const FitVerdict verdict = judge_fit(good());
  EXPECT_EQ(verdict.status, FitStatus::ok);
  EXPECT_TRUE(verdict.reasons.empty());
}

// Iterates that drift by little of the total uncertainty harm nobody.
TEST(FitStatus, ADriftWithinTheUncertaintyIsOk) {
  FitEvidence evidence = good();
  evidence.optimisation = Optimisation::drifting;
  EXPECT_EQ(judge_fit(evidence).status, FitStatus::ok);
}

TEST(FitStatus, AMoveBeyondTheUncertaintyFails) {
  for (auto list : {&FitEvidence::drift, &FitEvidence::remaining_move, &FitEvidence::hidden_move}) {
    for (const double move : {-5.0, 5.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
      FitEvidence evidence = good();
      (evidence.*list)[1] = move;
      expect_reason(evidence, FitStatus::failed, "b");
    }
  }
}

TEST(FitStatus, ALargeShiftOfClippingIsBiased) {
  FitEvidence evidence = good();
  evidence.clip_bias[0] = -0.2;
  expect_reason(evidence, FitStatus::biased, "a");
}

// The uncertainty of a fit by measurements includes the shift; it must not consist of it.
TEST(FitStatus, AnIncludedShiftIsBiasedOnlyIfItIsMostOfTheUncertainty) {
  FitEvidence evidence = good();
  evidence.measured = MeasurementEvidence{.residual_square = 1.0,
                                          .residuals = 100.0,
                                          .records = 500.0,
                                          .records_sd = 10.0,
                                          .declared = 500.0};
  evidence.clip_bias[0] = 0.08;
  EXPECT_EQ(judge_fit(evidence).status, FitStatus::ok);
  evidence.clip_bias[0] = -0.095;
  expect_reason(evidence, FitStatus::biased, "a");
}

TEST(FitStatus, APosteriorAsWideAsThePriorIsWeak) {
  FitEvidence evidence = good();
  evidence.total_sd[0] = 0.95;
  expect_reason(evidence, FitStatus::weak, "a");
}

TEST(FitStatus, AFlatPriorIsNeverTheAnswer) {
  FitEvidence evidence = good();
  evidence.total_sd[0] = 1e6;
  evidence.prior->sd[0] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(judge_fit(evidence).status, FitStatus::ok);
}

// A scale of 1e288 has a logarithm of 663.
TEST(FitStatus, AnAbsurdScaleFails) {
  FitEvidence evidence = good();
  evidence.location[0] = std::log(1e288);
  expect_reason(evidence, FitStatus::failed, "a");
  evidence = good();
  evidence.outputs_usable = false;
  EXPECT_EQ(judge_fit(evidence).status, FitStatus::failed);
}

TEST(FitStatus, ADivergedRunFailsWhateverElseIsKnown) {
  FitEvidence evidence;
  evidence.optimisation = Optimisation::diverged;
  EXPECT_EQ(judge_fit(evidence).status, FitStatus::failed);
}

TEST(FitStatus, TooFewStepsAreNoEvidence) {
  FitEvidence evidence = good();
  evidence.optimisation = Optimisation::unknown;
  EXPECT_EQ(judge_fit(evidence).status, FitStatus::failed);
}

TEST(FitStatus, TheWorstReasonDecidesAndAllAreTold) {
  FitEvidence evidence = good();
  evidence.total_sd[0] = 0.95;
  evidence.drift[1] = 5.0;
  const FitVerdict verdict = judge_fit(evidence);
  EXPECT_EQ(verdict.status, FitStatus::failed);
  EXPECT_EQ(verdict.reasons.size(), 2U);
}

TEST(FitStatus, WhatIsUnknownSaysNothing) {
  FitEvidence evidence = good();
  evidence.remaining_move.clear();
  evidence.clip_bias.clear();
  evidence.prior.reset();
  EXPECT_EQ(judge_fit(evidence).status, FitStatus::ok);
}

}  // namespace
}  // namespace dpvi
