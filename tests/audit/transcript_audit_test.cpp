#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <dpvi/base/error.hpp>
#include <tests/support/audit_support.hpp>

namespace dpvi {
namespace {

TEST(TranscriptAudit, ScoreIsTheLogRatioOfTheTwoDensities) {
  const AuditClaim claim{0.3, 1.7, 3, {}};
  const std::vector<double> transcript = {-2.0, 0.4, 5.1};
  double expected = 0.0;
  for (const double z : transcript) {
    const auto density = [&](double mean) {
      return std::exp(-std::pow((z - mean) / 1.7, 2) / 2.0);
    };
    expected += std::log((0.7 * density(0.0) + 0.3 * density(1.0)) / density(0.0));
  }
  EXPECT_NEAR(transcript_score(claim, transcript), expected, 1e-12);
}

// One step without sampling: P(z > t) = 1 - Phi((t - 1) / s), Q(z > t) = 1 -
// Phi(t / s), and the event that tells most at epsilon 0 is z > 1/2.
TEST(TranscriptAudit, BoundsHoldTheTruthAndAreTight) {
  const AuditClaim claim{1.0, 1.0, 1, {{0.0, 0.0}}};
  const AuditEffort effort{.runs = 100000, .significance = 1e-3, .threads = 1};
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  const AuditReport report = audit_transcripts(
      claim, effort, [&](bool with_canary, std::uint64_t, std::span<double> transcript) {
        transcript[0] = normal(engine) + (with_canary ? 1.0 : 0.0);
      });
  const double gap = std::erf(0.5 / std::sqrt(2.0));  // Phi(1/2) - Phi(-1/2)
  for (const AuditFinding& finding : report.findings) {
    const double found = finding.p_at_least - finding.q_at_most;
    EXPECT_LT(found, gap);
    // Two bounds at most 5.5 standard errors of 1/2 / sqrt(8e4) below.
    EXPECT_GT(found, gap - 2.0 * 5.5 * 0.5 / std::sqrt(8e4));
    EXPECT_TRUE(finding.refutes);
  }
}

TEST(TranscriptAudit, IndistinguishableRunsAreNotToldApart) {
  const AuditClaim claim{1.0, 1.0, 1, {{0.0, 0.0}}};
  std::mt19937_64 engine(2);
  std::normal_distribution<double> normal;
  const AuditReport report = audit_transcripts(
      claim, {.runs = 20000, .significance = 1e-3, .threads = 1},
      [&](bool, std::uint64_t, std::span<double> transcript) { transcript[0] = normal(engine); });
  EXPECT_FALSE(report.refuted()) << describe(report);
}

TEST(TranscriptAudit, UnusableEffortIsRefused) {
  const auto audit = [](const AuditEffort& effort) {
    audit_transcripts({1.0, 1.0, 1, {{0.0, 0.0}}}, effort,
                      [](bool, std::uint64_t, std::span<double>) {});
  };
  EXPECT_THROW(audit({.runs = 999, .significance = 1e-3, .threads = 1}), UsageError);
  EXPECT_THROW(audit({.runs = 1000, .significance = 1e-3, .threads = 0}), UsageError);
  EXPECT_THROW(audit({.runs = 1000, .significance = 0.0, .threads = 1}), UsageError);
  EXPECT_THROW(audit({.runs = 1000, .significance = 1.0, .threads = 1}), UsageError);
}

AuditReport audit_real_step(const AuditClaim& claim, double rate, double noise_multiplier,
                            std::uint64_t records, const AuditEffort& effort) {
  return audit_transcripts(
      claim, effort,
      CanaryTranscripts(SamplingRate::from_double(rate), NoiseGrid(noise_multiplier), records,
                        fixed_generators()));
}

TEST(RealStepAudit, ClaimOfTheAccountantIsNotRefuted) {
  const AuditClaim claim = accountants_claim(kQuickRate, kQuickNoise, kQuickSteps);
  const AuditReport report =
      audit_real_step(claim, kQuickRate, kQuickNoise, kQuickRecords, kQuickEffort);
  EXPECT_FALSE(report.refuted()) << describe(report);
}

// The audit has the power to notice: the same runs under claims that are a
// little too good.
TEST(RealStepAudit, ClaimOfTenPercentMoreNoiseIsRefuted) {
  const AuditClaim claim = accountants_claim(kQuickRate, 1.1 * kQuickNoise, kQuickSteps);
  const AuditReport report =
      audit_real_step(claim, kQuickRate, kQuickNoise, kQuickRecords, kQuickEffort);
  EXPECT_TRUE(report.refuted()) << describe(report);
}

TEST(RealStepAudit, ClaimOfATenPercentSmallerRateIsRefuted) {
  const AuditClaim claim = accountants_claim(0.9 * kQuickRate, kQuickNoise, kQuickSteps);
  const AuditReport report =
      audit_real_step(claim, kQuickRate, kQuickNoise, kQuickRecords, kQuickEffort);
  EXPECT_TRUE(report.refuted()) << describe(report);
}

TEST(SlowRealStepAudit, ClaimOfTheAccountantIsNotRefutedByTheFullAttack) {
  if (!slow_tests_wanted()) GTEST_SKIP() << "set DPVI_SLOW=1 to run it (minutes)";
  const AuditClaim claim = accountants_claim(kFullRate, kFullNoise, kFullSteps);
  const AuditReport report =
      audit_real_step(claim, kFullRate, kFullNoise, kFullRecords, kFullEffort);
  EXPECT_FALSE(report.refuted()) << describe(report);
}

TEST(SlowRealStepAudit, ClaimOfFivePercentMoreNoiseIsRefutedByTheFullAttack) {
  if (!slow_tests_wanted()) GTEST_SKIP() << "set DPVI_SLOW=1 to run it (minutes)";
  const AuditClaim claim = accountants_claim(kFullRate, 1.05 * kFullNoise, kFullSteps);
  const AuditReport report =
      audit_real_step(claim, kFullRate, kFullNoise, kFullRecords, kFullEffort);
  EXPECT_TRUE(report.refuted()) << describe(report);
}

}  // namespace
}  // namespace dpvi
