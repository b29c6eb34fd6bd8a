#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <dpvi/privacy/adjacency.hpp>

namespace dpvi {

// An attempt to refute a privacy claim by attack. Many runs are made on a table with a worst-case
// record (the canary) and on its neighbour, without the canary or with its opposite. An attacker
// who sees every release tries to tell them apart.

// Claim about `steps` Poisson-sampled Gaussian steps. P and Q are the distributions of the output
// on a data set and on its neighbour. Every event A has P(A) <= e^epsilon Q(A) + delta, at each of
// the points.
struct AuditClaim {
  Adjacency adjacency;
  double sampling_rate;
  double noise_multiplier;
  std::int64_t steps;

  struct Point {
    double epsilon;
    double delta;
  };
  std::vector<Point> points;
};

struct AuditEffort {
  // Number of runs with the canary, and of runs on the neighbour. At sampling rate .1, noise
  // multiplier 2 and 200 steps, 2e5 runs detect noise that is 5 % too small or a rate that is 5 %
  // too large.
  std::uint64_t runs = 200000;
  // Largest probability of refuting a claim that is true.
  double significance = 1e-3;
  unsigned threads = 1;
};

// Runs the mechanism once and writes, for each step, the released canary coordinate in units of the
// clip bound. It is called from several threads at once.
using TranscriptSource =
    std::function<void(bool with_canary, std::uint64_t run, std::span<double> transcript)>;

// One event that was tested: the score is above the threshold, or below it for the other direction.
struct AuditFinding {
  AuditClaim::Point point;
  bool adding;        // false: runs with the canary are P; true: they are Q
  double p_at_least;  // Clopper-Pearson bounds that hold for all findings together
  double q_at_most;
  bool refutes;
};

struct AuditReport {
  std::vector<AuditFinding> findings;

  bool refuted() const;
};

// log P/Q of a transcript, where P is with the canary. It is the sum over steps of log f(z), and
// under substitution of log f(z) - log f(-z), with f(z) = 1 - q + q exp((2z - 1) / (2 s^2)). It is
// the most powerful score where the claim is tight.
double transcript_score(const AuditClaim& claim, std::span<const double> transcript);

// Each threshold is chosen on a fifth of the runs and tested on the others. Throws UsageError if
// there are fewer than 1000 runs, no threads, or a significance outside (0, 1).
AuditReport audit_transcripts(const AuditClaim& claim, const AuditEffort& effort,
                              const TranscriptSource& source);

}  // namespace dpvi
