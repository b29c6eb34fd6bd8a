#include <dpvi/eval/transcript_audit.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <future>
#include <utility>

#include <fmt/format.h>
#include <boost/math/special_functions/beta.hpp>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

using Scores = std::vector<double>;

void validate(const AuditEffort& effort) {
  const bool usable = effort.runs >= 1000 && effort.threads >= 1 && effort.significance > 0.0 &&
                      effort.significance < 1.0;
  if (usable) return;
  throw UsageError(kValueOutsideRule,
                   fmt::format("the audit has {} runs, {} threads and significance {}; it needs at "
                               "least 1000 runs, one thread and a significance between 0 and 1.",
                               effort.runs, effort.threads, effort.significance),
                   "Try 200000 runs and a significance of 0.001.");
}

Scores collect_scores(const AuditClaim& claim, const AuditEffort& effort,
                      const TranscriptSource& source, bool with_canary) {
  Scores scores(effort.runs);
  std::vector<std::future<void>> workers;
  for (unsigned t = 0; t < effort.threads; ++t) {
    workers.push_back(std::async(std::launch::async, [&, t] {
      std::vector<double> transcript(static_cast<std::size_t>(claim.steps));
      for (std::uint64_t run = t; run < effort.runs; run += effort.threads) {
        source(with_canary, run, transcript);
        scores[run] = transcript_score(claim, transcript);
      }
    }));
  }
  for (std::future<void>& worker : workers) worker.get();
  return scores;
}

double share_above(const Scores& sorted, double threshold) {
  const auto above = sorted.end() - std::upper_bound(sorted.begin(), sorted.end(), threshold);
  return static_cast<double>(above) / static_cast<double>(sorted.size());
}

// The threshold that maximises P(A) - e^epsilon Q(A) on the pilot runs.
double best_threshold(const Scores& p, const Scores& q, double epsilon) {
  constexpr std::size_t kCandidates = 500;
  std::pair<double, double> best{-INFINITY, 0.0};
  for (std::size_t i = 0; i < kCandidates; ++i) {
    for (const Scores* scores : {&p, &q}) {
      const double threshold = (*scores)[i * scores->size() / kCandidates];
      const double gap = share_above(p, threshold) - std::exp(epsilon) * share_above(q, threshold);
      best = std::max(best, {gap, threshold});
    }
  }
  return best.second;
}

// One-sided Clopper-Pearson bounds: each fails with probability at most `risk`.
double share_at_least(double hits, double runs, double risk) {
  return hits == 0.0 ? 0.0 : boost::math::ibeta_inv(hits, runs - hits + 1.0, risk);
}
double share_at_most(double hits, double runs, double risk) {
  return hits == runs ? 1.0 : boost::math::ibeta_inv(hits + 1.0, runs - hits, 1.0 - risk);
}

struct SortedScores {
  Scores pilot;
  Scores judged;

  SortedScores(Scores scores, double sign) {
    for (double& score : scores) score *= sign;
    const auto cut = scores.begin() + static_cast<std::ptrdiff_t>(scores.size() / 5);
    std::sort(scores.begin(), cut);
    std::sort(cut, scores.end());
    pilot.assign(scores.begin(), cut);
    judged.assign(cut, scores.end());
  }
};

}  // namespace

bool AuditReport::refuted() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const AuditFinding& finding) { return finding.refutes; });
}

double transcript_score(const AuditClaim& claim, std::span<const double> transcript) {
  const double scale = 1.0 / (2.0 * claim.noise_multiplier * claim.noise_multiplier);
  const auto log_ratio = [&](double z) {
    return std::log1p(claim.sampling_rate * std::expm1((2.0 * z - 1.0) * scale));
  };
  double score = 0.0;
  for (const double z : transcript) {
    score += log_ratio(z);
    if (claim.adjacency == Adjacency::substitute) score -= log_ratio(-z);
  }
  return score;
}

AuditReport audit_transcripts(const AuditClaim& claim, const AuditEffort& effort,
                              const TranscriptSource& source) {
  validate(effort);
  const Scores with_canary = collect_scores(claim, effort, source, true);
  const Scores without = collect_scores(claim, effort, source, false);
  // Bonferroni correction: two directions with two bounds each, at every point.
  const double risk = effort.significance / (4.0 * static_cast<double>(claim.points.size()));
  AuditReport report;
  for (const bool adding : {false, true}) {
    const SortedScores p(adding ? without : with_canary, adding ? -1.0 : 1.0);
    const SortedScores q(adding ? with_canary : without, adding ? -1.0 : 1.0);
    const double runs = static_cast<double>(p.judged.size());
    for (const AuditClaim::Point& point : claim.points) {
      const double threshold = best_threshold(p.pilot, q.pilot, point.epsilon);
      const double p_low =
          share_at_least(std::round(share_above(p.judged, threshold) * runs), runs, risk);
      const double q_high =
          share_at_most(std::round(share_above(q.judged, threshold) * runs), runs, risk);
      const bool refutes = p_low > std::exp(point.epsilon) * q_high + point.delta;
      report.findings.push_back({point, adding, p_low, q_high, refutes});
    }
  }
  return report;
}

}  // namespace dpvi
