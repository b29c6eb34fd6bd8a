#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dpvi/audit/audit_claim.hpp>
#include <dpvi/base/error.hpp>
#include <tests/support/audit_keys.hpp>

namespace dpvi {
namespace {

// The scenarios whose name is one of these.
std::vector<AuditScenario> chosen(const std::vector<std::string>& names) {
  std::vector<AuditScenario> some;
  for (const AuditScenario& scenario : audit_scenarios()) {
    if (std::find(names.begin(), names.end(), scenario.name) != names.end()) {
      some.push_back(scenario);
    }
  }
  return some;
}

AuditReport audit(const std::vector<AuditScenario>& scenarios, std::uint64_t pairs) {
  return run_audit(scenarios, {.pairs = pairs, .threads = 2}, {}, fixed_audit_keys());
}

// Shows the power of every attack, too: the lower bound is above the claim of a run with two and a
// half times the noise, and below the true claim.
TEST(ProductionAudit, LowerBoundsOfAllAttacksAreBelowTheirClaimsAndNotFar) {
  const AuditReport report = audit(audit_scenarios(), 3000);
  EXPECT_FALSE(report.refuted()) << describe(report);
  for (const AuditFinding& finding : report.findings) {
    const double bold = claimed_epsilon(finding.run, finding.adjacency, 2.8);
    EXPECT_GE(finding.lower_bound, bold) << finding.name << ' ' << name_of(finding.adjacency);
    EXPECT_LT(finding.lower_bound, finding.claim_epsilon) << finding.name;
  }
}

// The loops are the same; only what the accountant is told differs.
TEST(ProductionAudit, ClaimsSlightlyTooStrongAreRefuted) {
  for (AuditScenario scenario : chosen({"one step, all records", "planned fit, rate .9"})) {
    scenario.run[0].noise_multiplier *= 1.05;
    EXPECT_TRUE(audit({scenario}, 150000).refuted()) << scenario.name;
  }
  for (AuditScenario scenario : chosen({"one sampled step"})) {
    scenario.run[0].sampling_rate *= 0.95;
    EXPECT_TRUE(audit({scenario}, 150000).refuted()) << scenario.name;
  }
}

TEST(ProductionAudit, UnusableEffortIsRefused) {
  const auto scenarios = chosen({"one step, all records"});
  EXPECT_THROW(run_audit(scenarios, {.pairs = 1000, .threads = 0}), UsageError);
  EXPECT_THROW(run_audit(scenarios, {.pairs = 0}), UsageError);
  EXPECT_THROW(run_audit(scenarios, {.pairs = 1000, .confidence = 1.0}), UsageError);
}

TEST(SlowProductionAudit, NoClaimIsRefutedInTenMinutes) {
  if (std::getenv("DPVI_SLOW") == nullptr) GTEST_SKIP() << "set DPVI_SLOW=1 to run it (minutes)";
  const AuditEffort effort{.time = std::chrono::minutes(10), .threads = 2};
  const AuditReport report = run_audit(audit_scenarios(), effort);
  EXPECT_FALSE(report.refuted()) << describe(report);
}

}  // namespace
}  // namespace dpvi
