#include <gtest/gtest.h>

#include <tests/support/audit_support.hpp>
#include <tests/support/private_step.hpp>

namespace dpvi {
namespace {

// The attack on mutants of the step: the last record is the canary, along the
// one coordinate.
AuditReport attack(Mutation mutation, const AuditClaim& claim, std::uint64_t record_count,
                   const AuditEffort& effort) {
  const auto source = [&](bool with_canary, std::uint64_t run, std::span<double> transcript) {
    Table table(record_count, {0.0f});
    if (with_canary) table.back() = {2.0f};
    PrivateStep step(mutation,
                     {.sampling_rate = claim.sampling_rate,
                      .grid = NoiseGrid(claim.noise_multiplier),
                      .record_count = record_count},
                     2 * run + (with_canary ? 1u : 0u));
    for (std::size_t t = 0; t < transcript.size(); ++t) transcript[t] = step.run(table, t)[0];
  };
  return audit_transcripts(claim, effort, source);
}

AuditReport quick_attack(Mutation mutation) {
  return attack(mutation, accountants_claim(kQuickRate, kQuickNoise, kQuickSteps), kQuickRecords,
                kQuickEffort);
}

TEST(RealStep, StandsUpToTheAttack) {
  const AuditReport report = quick_attack(Mutation::none);
  EXPECT_FALSE(report.refuted()) << describe(report);
}

TEST(Mutant, NoiseTimesPointNineFallsToTheAttack) {
  const AuditReport report = quick_attack(Mutation::noise_times_09);
  EXPECT_TRUE(report.refuted()) << describe(report);
}

TEST(Mutant, RateOffByOneRecordFallsToTheAttack) {
  const AuditReport report = quick_attack(Mutation::rate_plus_one_record);
  EXPECT_TRUE(report.refuted()) << describe(report);
}

// One record in 200: a rate of .105 where .1 is claimed.
TEST(SlowMutant, RateOffByOneRecordInTwoHundredFallsToTheFullAttack) {
  if (!slow_tests_wanted()) GTEST_SKIP() << "set DPVI_SLOW=1 to run it (minutes)";
  const AuditReport report =
      attack(Mutation::rate_plus_one_record, accountants_claim(kFullRate, kFullNoise, kFullSteps),
             kFullRecords, kFullEffort);
  EXPECT_TRUE(report.refuted()) << describe(report);
}

}  // namespace
}  // namespace dpvi
