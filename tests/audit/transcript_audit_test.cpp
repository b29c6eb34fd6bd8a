#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <dpvi/base/error.hpp>
#include <tests/support/audit_support.hpp>

namespace dpvi {
namespace {

TEST(TranscriptAudit, ScoreIsTheLogRatioOfTheTwoDensities) {
  const std::vector<double> transcript = {-2.0, 0.4, 5.1};
  double add_remove = 0.0, substitute = 0.0;
  for (const double z : transcript) {
    const auto density = [&](double mean) {
      return std::exp(-std::pow((z - mean) / 1.7, 2) / 2.0);
    };
    const double with_canary = 0.7 * density(0.0) + 0.3 * density(1.0);
    add_remove += std::log(with_canary / density(0.0));
    substitute += std::log(with_canary / (0.7 * density(0.0) + 0.3 * density(-1.0)));
  }
  EXPECT_NEAR(transcript_score({Adjacency::add_remove, 0.3, 1.7, 3, {}}, transcript), add_remove,
              1e-12);
  EXPECT_NEAR(transcript_score({Adjacency::substitute, 0.3, 1.7, 3, {}}, transcript), substitute,
              1e-12);
}

// One step without sampling: P(z > t) = 1 - Phi((t - 1) / s) and Q(z > t) = 1 - Phi(t / s). The
// most informative event at epsilon 0 is z > 1/2.
TEST(TranscriptAudit, BoundsHoldTheTruthAndAreTight) {
  const AuditClaim claim{Adjacency::add_remove, 1.0, 1.0, 1, {{0.0, 0.0}}};
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
    // Each of the two bounds lies at most 5.5 standard errors of 1/2 / sqrt(8e4) below.
    EXPECT_GT(found, gap - 2.0 * 5.5 * 0.5 / std::sqrt(8e4));
    EXPECT_TRUE(finding.refutes);
  }
}

TEST(TranscriptAudit, IndistinguishableRunsAreNotToldApart) {
  const AuditClaim claim{Adjacency::add_remove, 1.0, 1.0, 1, {{0.0, 0.0}}};
  std::mt19937_64 engine(2);
  std::normal_distribution<double> normal;
  const AuditReport report = audit_transcripts(
      claim, {.runs = 20000, .significance = 1e-3, .threads = 1},
      [&](bool, std::uint64_t, std::span<double> transcript) { transcript[0] = normal(engine); });
  EXPECT_FALSE(report.refuted()) << describe(report);
}

TEST(TranscriptAudit, UnusableEffortIsRefused) {
  const auto audit = [](const AuditEffort& effort) {
    audit_transcripts({Adjacency::add_remove, 1.0, 1.0, 1, {{0.0, 0.0}}}, effort,
                      [](bool, std::uint64_t, std::span<double>) {});
  };
  EXPECT_THROW(audit({.runs = 999, .significance = 1e-3, .threads = 1}), UsageError);
  EXPECT_THROW(audit({.runs = 1000, .significance = 1e-3, .threads = 0}), UsageError);
  EXPECT_THROW(audit({.runs = 1000, .significance = 0.0, .threads = 1}), UsageError);
  EXPECT_THROW(audit({.runs = 1000, .significance = 1.0, .threads = 1}), UsageError);
}

constexpr Adjacency kBoth[] = {Adjacency::add_remove, Adjacency::substitute};

// Settings of one attack.
struct Attack {
  double rate;
  double noise_multiplier;
  std::int64_t steps;
  std::uint64_t records;
  AuditEffort effort;

  AuditClaim claim(Adjacency adjacency, double rate_factor, double noise_factor) const {
    return accountants_claim(adjacency, rate_factor * rate, noise_factor * noise_multiplier, steps);
  }

  AuditReport report(const AuditClaim& claim) const {
    const CanaryRun run{.adjacency = claim.adjacency,
                        .sampling_rate = SamplingRate::from_double(rate),
                        .grid = NoiseGrid(noise_multiplier),
                        .record_count = records};
    const CanaryTranscripts transcripts(run, fixed_generators());
    return audit_transcripts(claim, effort, std::cref(transcripts));
  }
};

// Few records give many empty batches, so the handling of empty batches is attacked too.
const Attack kQuick{kQuickRate, kQuickNoise, kQuickSteps, kQuickRecords, kQuickEffort};
const Attack kFull{kFullRate, kFullNoise, kFullSteps, kFullRecords, kFullEffort};

TEST(ProductionLoopAudit, ClaimOfTheAccountantIsNotRefuted) {
  for (const Adjacency adjacency : kBoth) {
    const AuditReport report = kQuick.report(kQuick.claim(adjacency, 1.0, 1.0));
    EXPECT_FALSE(report.refuted()) << describe(report);
  }
}

// Shows the audit's power: it refutes claims that are slightly too strong for the same runs.
TEST(ProductionLoopAudit, ClaimOfTenPercentMoreNoiseIsRefuted) {
  for (const Adjacency adjacency : kBoth) {
    const AuditReport report = kQuick.report(kQuick.claim(adjacency, 1.0, 1.1));
    EXPECT_TRUE(report.refuted()) << describe(report);
  }
}

TEST(ProductionLoopAudit, ClaimOfATenPercentSmallerRateIsRefuted) {
  for (const Adjacency adjacency : kBoth) {
    const AuditReport report = kQuick.report(kQuick.claim(adjacency, 0.9, 1.0));
    EXPECT_TRUE(report.refuted()) << describe(report);
  }
}

TEST(SlowProductionLoopAudit, ClaimOfTheAccountantIsNotRefutedByTheFullAttack) {
  if (!slow_tests_wanted()) GTEST_SKIP() << "set DPVI_SLOW=1 to run it (minutes)";
  const AuditReport report = kFull.report(kFull.claim(Adjacency::add_remove, 1.0, 1.0));
  EXPECT_FALSE(report.refuted()) << describe(report);
}

TEST(SlowProductionLoopAudit, ClaimOfFivePercentMoreNoiseIsRefutedByTheFullAttack) {
  if (!slow_tests_wanted()) GTEST_SKIP() << "set DPVI_SLOW=1 to run it (minutes)";
  const AuditReport report = kFull.report(kFull.claim(Adjacency::add_remove, 1.0, 1.05));
  EXPECT_TRUE(report.refuted()) << describe(report);
}

}  // namespace
}  // namespace dpvi
