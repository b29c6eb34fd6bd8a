#include <cstdint>
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

#include <tests/support/audit_keys.hpp>

namespace dpvi {
namespace {

// The attacks of `dpvi audit` on the library that this program is linked with, until one succeeds.
// tests/mutants runs single attacks with more pairs of runs on programs with a mistake.
TEST(AuditOfThisProgram, RefutesNoClaim) {
  const char* pairs = std::getenv("DPVI_AUDIT_PAIRS");
  const char* attack = std::getenv("DPVI_AUDIT_ATTACK");
  std::vector<AuditScenario> scenarios = audit_scenarios();
  if (attack != nullptr) {
    std::erase_if(scenarios, [&](const AuditScenario& one) { return one.name != attack; });
  }
  ASSERT_FALSE(scenarios.empty());
  const AuditEffort effort{.pairs = pairs == nullptr ? 600 : std::strtoull(pairs, nullptr, 10),
                           .threads = 2,
                           .confidence = 1.0 - 1e-6,
                           .stop_at_first = true};
  const AuditReport report = run_audit(scenarios, effort, {}, fixed_audit_keys());
  EXPECT_FALSE(report.refuted()) << describe(report);
}

}  // namespace
}  // namespace dpvi
