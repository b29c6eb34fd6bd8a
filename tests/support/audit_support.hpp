#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include <dpvi/eval/canary_transcripts.hpp>
#include <dpvi/eval/transcript_audit.hpp>
#include <dpvi/privacy/pld.hpp>
#include <tests/support/fixed_key_generator.hpp>

namespace dpvi {

inline bool slow_tests_wanted() { return std::getenv("DPVI_SLOW") != nullptr; }

// The accountant's claim about the run, at the epsilons that are attacked.
inline AuditClaim accountants_claim(Adjacency adjacency, double sampling_rate,
                                    double noise_multiplier, std::int64_t steps) {
  AuditClaim claim{adjacency, sampling_rate, noise_multiplier, steps, {}};
  const std::vector<GaussianPhase> run = {{sampling_rate, noise_multiplier, steps}};
  for (const double epsilon : {0.0, 0.25, 0.5, 0.75, 1.0, 1.5}) {
    claim.points.push_back({epsilon, pld_delta(run, adjacency, epsilon).upper});
  }
  return claim;
}

// A key for each run and purpose, the same on every execution.
inline CanaryTranscripts::Generators fixed_generators() {
  return [](bool with_canary, std::uint64_t run, int purpose) {
    return FixedKeyForTests::generator(4 * run + (with_canary ? 2u : 0u) +
                                       static_cast<std::uint64_t>(purpose));
  };
}

// Takes about a second and detects noise that is 10 % too small.
inline constexpr double kQuickRate = 0.5;
inline constexpr double kQuickNoise = 1.0;
inline constexpr std::int64_t kQuickSteps = 4;
inline constexpr std::uint64_t kQuickRecords = 10;
inline const AuditEffort kQuickEffort{.runs = 60000, .significance = 1e-3, .threads = 2};

// Takes minutes and detects noise that is 5 % too small.
inline constexpr double kFullRate = 0.1;
inline constexpr double kFullNoise = 2.0;
inline constexpr std::int64_t kFullSteps = 200;
inline constexpr std::uint64_t kFullRecords = 200;
inline const AuditEffort kFullEffort{.runs = 200000, .significance = 1e-3, .threads = 2};

inline std::string describe(const AuditReport& report) {
  std::string text;
  for (const AuditFinding& finding : report.findings) {
    text += fmt::format("epsilon {} {}: P >= {:.5f}, Q <= {:.5f}, delta {:.5f}{}\n",
                        finding.point.epsilon, finding.adding ? "adding" : "removing",
                        finding.p_at_least, finding.q_at_most, finding.point.delta,
                        finding.refutes ? ": refuted" : "");
  }
  return text;
}

}  // namespace dpvi
