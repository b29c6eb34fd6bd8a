#include <dpvi/audit/audit.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <future>

#include <dpvi/audit/audit_claim.hpp>
#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// Noise relative to the stated noise, from the boldest claim to the weakest. The claims are nested:
// if one is true, so are all after it. Going through them in this order until one is not refuted
// gives a lower bound that is wrong only if the first true claim is refuted, so the level of one
// test holds for the whole list.
constexpr double kNoiseFactors[] = {8.0,  4.0,  2.8,  2.0,  1.6,  1.4,  1.25, 1.15, 1.1,
                                    1.07, 1.05, 1.03, 1.02, 1.01, 1.0,  0.98, 0.95, 0.9,
                                    0.85, 0.8,  0.7,  0.6,  0.5,  0.35, 0.25};

constexpr std::uint64_t kFirstRound = 500;

void validate(const AuditEffort& effort) {
  if (effort.threads >= 1 && effort.pairs >= 1 && effort.confidence > 0.0 &&
      effort.confidence < 1.0) {
    return;
  }
  throw UsageError(
      kValueOutsideRule,
      fmt::format("the audit has {} runs, {} threads and confidence {}; it needs at least one run, "
                  "one thread and a confidence between 0 and 1.",
                  effort.pairs, effort.threads, effort.confidence),
      "");
}

class ScenarioAudit {
 public:
  ScenarioAudit(const AuditScenario& scenario, const AuditEffort& effort, double log_limit,
                const AuditKeys& keys)
      : scenario_(scenario),
        effort_(effort),
        log_limit_(log_limit),
        keys_(keys),
        claim_(claim_points(scenario.run, scenario.adjacency)) {}

  // Runs rounds until the claim is refuted or the time or the runs are used up.
  void run(std::optional<Seconds> time) {
    const Clock::time_point start = Clock::now();
    while (!refuted() && evidence_.pairs() < effort_.pairs) {
      std::uint64_t size = std::max(kFirstRound, evidence_.pairs() / 2);
      size = std::min(size, effort_.pairs - evidence_.pairs());
      if (time && evidence_.pairs() > 0) {
        const double used = Seconds(Clock::now() - start).count();
        const double cost = used / static_cast<double>(evidence_.pairs());
        const double left = (time->count() - used) / cost;
        if (left < 100.0) break;
        size = std::min(size, static_cast<std::uint64_t>(left));
      }
      evidence_.add_round(scores(true, size), scores(false, size));
    }
  }

  bool refuted() const { return evidence_.log_wealth(claim_) >= log_limit_; }

  AuditFinding finding() const {
    AuditFinding found{.name = scenario_.name,
                       .adjacency = scenario_.adjacency,
                       .run = scenario_.run,
                       .claim_epsilon = claimed_epsilon(scenario_.run, scenario_.adjacency),
                       .runs = 2 * evidence_.pairs(),
                       .refuted = refuted()};
    for (const double factor : kNoiseFactors) {
      const auto points = claim_points(scenario_.run, scenario_.adjacency, factor);
      if (evidence_.log_wealth(points) < log_limit_) break;
      found.lower_bound = claimed_epsilon(scenario_.run, scenario_.adjacency, factor);
    }
    return found;
  }

 private:
  // Scores of the next runs on one table.
  ScoreColumns scores(bool with_canary, std::uint64_t size) const {
    ScoreColumns columns(kScores, std::vector<double>(size));
    std::vector<std::future<void>> workers;
    for (unsigned worker = 0; worker < effort_.threads; ++worker) {
      workers.push_back(std::async(std::launch::async, [&, worker] {
        for (std::uint64_t i = worker; i < size; i += effort_.threads) {
          const std::vector<double> found = transcript_scores(
              scenario_.run, scenario_.adjacency,
              scenario_.loop->transcript(with_canary, keys_(with_canary, evidence_.pairs() + i)));
          for (std::size_t k = 0; k < kScores; ++k) columns[k][i] = found[k];
        }
      }));
    }
    for (std::future<void>& worker : workers) worker.get();
    return columns;
  }

  const AuditScenario& scenario_;
  const AuditEffort& effort_;
  double log_limit_;
  const AuditKeys& keys_;
  std::vector<ClaimPoint> claim_;
  BettingEvidence evidence_;
};

}  // namespace

bool AuditReport::refuted() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const AuditFinding& finding) { return finding.refuted; });
}

std::uint64_t AuditReport::runs() const {
  std::uint64_t sum = 0;
  for (const AuditFinding& finding : findings) sum += finding.runs;
  return sum;
}

const AuditFinding& AuditReport::closest() const {
  return *std::max_element(
      findings.begin(), findings.end(), [](const AuditFinding& a, const AuditFinding& b) {
        return a.lower_bound / a.claim_epsilon < b.lower_bound / b.claim_epsilon;
      });
}

AuditKeys fresh_keys() {
  return [](bool, std::uint64_t) { return LoopRandomness(); };
}

AuditReport run_audit(const std::vector<AuditScenario>& scenarios, const AuditEffort& effort,
                      const AuditProgress& progress, const AuditKeys& keys) {
  validate(effort);
  const auto count = static_cast<double>(scenarios.size());
  // Bonferroni over the scenarios; within one, the level holds at any moment.
  const double log_limit = std::log(count / (1.0 - effort.confidence));
  const Clock::time_point start = Clock::now();
  AuditReport report{.findings = {}, .confidence = effort.confidence};
  for (const AuditScenario& scenario : scenarios) {
    std::optional<Seconds> time;
    if (effort.time) {
      const Seconds left = *effort.time - Seconds(Clock::now() - start);
      time = left / (count - static_cast<double>(report.findings.size()));
    }
    ScenarioAudit audit(scenario, effort, log_limit, keys);
    audit.run(time);
    report.findings.push_back(audit.finding());
    if (progress) progress(report.findings.size(), scenarios.size());
    if (effort.stop_at_first && report.findings.back().refuted) break;
  }
  return report;
}

}  // namespace dpvi
