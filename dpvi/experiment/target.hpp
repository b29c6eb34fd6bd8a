#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace dpvi {

// Summary of the scores of several runs of one setting.
struct RunMean {
  double mean = 0.0;
  double standard_error = 0.0;  // of the mean; NaN with one run
  double worst = 0.0;           // the lowest score
  std::size_t runs = 0;
};
RunMean mean_of_runs(std::span<const double> scores);

enum class GateKind {
  within,    // at most `tolerance` from `expected`, in either direction
  at_least,  // at least `expected` minus `tolerance`
  shown      // compared, but never missed
};
inline constexpr GateKind kGates[] = {GateKind::within, GateKind::at_least, GateKind::shown};

std::string_view name_of(GateKind gate);

// Expected score of a setting. Larger scores are better.
struct Target {
  GateKind gate = GateKind::shown;
  double expected = 0.0;
  double tolerance = 0.0;
  std::optional<double> worst_at_least;      // for every single run
  std::optional<double> log_score_at_least;  // mean log score, if the score itself is an accuracy
};

enum class Outcome {
  met,        // inside the tolerance
  undecided,  // outside, but by at most two standard errors: chance may explain it
  missed      // outside by more
};

std::string_view name_of(Outcome outcome);

struct Verdict {
  Outcome outcome = Outcome::met;
  double miss = 0.0;            // mean - expected, in standard errors of the mean
  std::size_t runs_needed = 0;  // if undecided: about this many runs would decide; 0 if unknown
};

// A single run that is worse than it may be misses the target, however many other runs there are.
//
// Guarantee: a mean that is not a number misses its target.
Verdict judge(const Target& target, const RunMean& score, const std::optional<RunMean>& log_score);

}  // namespace dpvi
