#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/audit/audit_scenarios.hpp>

namespace dpvi {

// How long the audit tries. It may stop at any moment (BettingEvidence), so time is a fair limit.
struct AuditEffort {
  // For all scenarios together; each gets an equal part of what is left.
  std::optional<std::chrono::duration<double>> time = std::nullopt;
  // Pairs of runs of each scenario. Without a time, exactly as many unless the claim falls earlier.
  std::uint64_t pairs = std::uint64_t{1} << 40;
  unsigned threads = 1;
  // Probability that no true claim is refuted and that all lower bounds hold, over all scenarios.
  double confidence = 0.999;
  bool stop_at_first = false;  // end the audit as soon as a claim is refuted
};

// What the audit found about one scenario. Epsilons are at kAuditDelta.
struct AuditFinding {
  std::string name;
  Adjacency adjacency;
  GaussianRun run;
  double claim_epsilon = 0.0;
  // The epsilon of the largest refuted claim of the same form: that the run has this epsilon
  // because its noise is larger, or smaller, than stated. 0 if no claim was refuted.
  double lower_bound = 0.0;
  std::uint64_t runs = 0;  // on both tables together
  bool refuted = false;    // the claim itself was
};

struct AuditReport {
  std::vector<AuditFinding> findings;
  double confidence = 0.0;

  bool refuted() const;
  std::uint64_t runs() const;
  // The scenario with the largest lower bound relative to its claim.
  const AuditFinding& closest() const;
};

// Keys of a run. They come from the kernel unless a test supplies others.
using AuditKeys = std::function<LoopRandomness(bool with_canary, std::uint64_t run)>;
AuditKeys fresh_keys();

using AuditProgress = std::function<void(std::size_t scenarios_done, std::size_t scenarios)>;

// Throws UsageError for an effort without threads or with a confidence outside (0, 1).
AuditReport run_audit(const std::vector<AuditScenario>& scenarios, const AuditEffort& effort,
                      const AuditProgress& progress = {}, const AuditKeys& keys = fresh_keys());

}  // namespace dpvi
