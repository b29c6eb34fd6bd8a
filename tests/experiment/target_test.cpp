#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <dpvi/experiment/point_result.hpp>
#include <dpvi/experiment/target.hpp>

namespace dpvi {
namespace {

RunMean runs(double mean, double worst = 0.0) {
  return {.mean = mean, .standard_error = 0.01, .worst = worst, .runs = 10};
}

TEST(RunMean, IsMeanStandardErrorAndWorst) {
  const RunMean found = mean_of_runs(std::vector<double>{0.7, 0.8, 0.9});
  EXPECT_NEAR(found.mean, 0.8, 1e-15);
  EXPECT_NEAR(found.standard_error, 0.1 / std::sqrt(3.0), 1e-15);
  EXPECT_EQ(found.worst, 0.7);
  EXPECT_EQ(found.runs, 3u);
  EXPECT_TRUE(std::isnan(mean_of_runs(std::vector<double>{0.5}).standard_error));
}

Outcome outcome(const Target& target, const RunMean& score,
                const std::optional<RunMean>& log_score = {}) {
  return judge(target, score, log_score).outcome;
}

TEST(Judge, WithinHasTwoSides) {
  const Target target{GateKind::within, 0.8, 0.02, {}, {}};
  EXPECT_EQ(outcome(target, runs(0.785)), Outcome::met);
  EXPECT_EQ(outcome(target, runs(0.755)), Outcome::missed);
  EXPECT_EQ(outcome(target, runs(0.845)), Outcome::missed);
  EXPECT_NEAR(judge(target, runs(0.825), {}).miss, 2.5, 1e-12);
}

TEST(Judge, AtLeastHasOneSide) {
  const Target target{GateKind::at_least, 0.8, 0.0, {}, {}};
  EXPECT_EQ(outcome(target, runs(0.9)), Outcome::met);
  EXPECT_EQ(outcome(target, runs(0.779)), Outcome::missed);
}

// One standard error outside: four times as many runs would halve it.
TEST(Judge, WhatChanceMayExplainIsUndecidedAndSaysHowManyRunsWouldDecide) {
  const Target target{GateKind::at_least, 0.8, 0.0, {}, {}};
  const Verdict verdict = judge(target, runs(0.79), {});
  EXPECT_EQ(verdict.outcome, Outcome::undecided);
  EXPECT_NEAR(static_cast<double>(verdict.runs_needed), 40.0, 1.0);
  EXPECT_EQ(outcome(target, runs(0.7805)), Outcome::undecided);
}

TEST(Judge, OneRunOutsideDecidesNothing) {
  const RunMean one = mean_of_runs(std::vector<double>{0.5});
  const Verdict verdict = judge({GateKind::at_least, 0.8, 0.0, {}, {}}, one, {});
  EXPECT_EQ(verdict.outcome, Outcome::undecided);
  EXPECT_EQ(verdict.runs_needed, 0u);
}

TEST(Judge, ARunWithoutNoiseDecides) {
  RunMean exact = mean_of_runs(std::vector<double>{0.79});
  exact.standard_error = 0.0;
  EXPECT_EQ(outcome({GateKind::at_least, 0.8, 0.0, {}, {}}, exact), Outcome::missed);
}

TEST(Judge, WhatIsOnlyShownIsNeverMissed) {
  PointResult point;
  point.target = Target{GateKind::shown, 0.8, 0.01, {}, {}};
  point.verdict = judge(*point.target, runs(0.5), {});
  EXPECT_EQ(point.verdict->outcome, Outcome::missed);
  EXPECT_FALSE(point.missed());
  EXPECT_NE(verdict_text(point).find("not gated"), std::string::npos);
}

TEST(Judge, AccuracyBoughtWithOverconfidenceIsAMiss) {
  const Target target{GateKind::at_least, 0.8, 0.0, {}, -0.35};
  EXPECT_EQ(outcome(target, runs(0.9), runs(-0.34)), Outcome::met);
  EXPECT_EQ(outcome(target, runs(0.9), runs(-0.36)), Outcome::undecided);
  EXPECT_EQ(outcome(target, runs(0.9), runs(-0.38)), Outcome::missed);
  EXPECT_EQ(outcome(target, runs(0.9)), Outcome::missed);
}

TEST(Judge, OneRunThatIsTooBadIsAMiss) {
  const Target target{GateKind::at_least, -3.72, 0.0, -4.05, {}};
  EXPECT_EQ(outcome(target, runs(-3.7, -4.0)), Outcome::met);
  EXPECT_EQ(outcome(target, runs(-3.7, -4.1)), Outcome::missed);
}

// Guarantee: a mean that is not a number misses its target.
TEST(Judge, AMeanThatIsNotANumberMissesItsTarget) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const GateKind gate : kGates) {
    EXPECT_EQ(outcome({gate, 0.8, 1.0, {}, {}}, runs(nan)), Outcome::missed) << name_of(gate);
  }
}

TEST(ResultsCsv, HasOneLineForEachPointAndQuotesWhatItMust) {
  PointResult point;
  point.figure = "fig2";
  point.series = "DPVI, q = .1";
  point.delta = 1e-3;
  point.epsilon_substitute = 1.25;
  point.score = {0.81, 0.002, 0.8, 10};
  point.target = Target{GateKind::within, 0.8, 0.02, {}, {}};
  point.verdict = judge(*point.target, point.score, {});
  const std::string csv = results_csv(std::vector{point, point});
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);
  EXPECT_NE(csv.find("\"DPVI, q = .1\""), std::string::npos) << csv;
  EXPECT_NE(csv.find(",1.25,"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",met,5,\n"), std::string::npos) << csv;
  EXPECT_EQ(csv.find("nan"), std::string::npos) << csv;
}

TEST(ResultsTable, SaysHowFarAMissIs) {
  PointResult point;
  point.setting = "sigma 2";
  point.score = {0.75, 0.01, 0.7, 10};
  point.target = Target{GateKind::within, 0.8, 0.02, {}, {}};
  point.verdict = judge(*point.target, point.score, {});
  EXPECT_NE(results_table(std::vector{point}).find("missed, -5.0 standard errors"),
            std::string::npos);
}

}  // namespace
}  // namespace dpvi
