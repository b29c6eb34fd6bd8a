#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace dpvi {

// What some runs of one setting came to.
struct RunMean {
  double mean = 0.0;
  double standard_error = 0.0;  // of the mean; NaN with one run
  double worst = 0.0;           // the least
  std::size_t runs = 0;
};
RunMean mean_of_runs(std::span<const double> scores);

enum class GateKind {
  within,    // no further than `tolerance` from `expected`, to either side
  at_least,  // not below `expected` by more than `tolerance`
  shown      // compared, but nothing depends on it
};
inline constexpr GateKind kGates[] = {GateKind::within, GateKind::at_least, GateKind::shown};

std::string_view name_of(GateKind gate);

// What a setting is expected to come to. Larger scores are better.
struct Target {
  GateKind gate = GateKind::shown;
  double expected = 0.0;
  double tolerance = 0.0;
  std::optional<double> worst_at_least;      // of every single run
  std::optional<double> log_score_at_least;  // mean, where the score itself is an accuracy
};

struct Verdict {
  bool inside = true;
  bool missed = false;  // outside, and something depends on it
  double miss = 0.0;    // mean - expected, in standard errors of the mean
};

// Guarantee: a mean that is not a number is outside.
Verdict judge(const Target& target, const RunMean& score, const std::optional<RunMean>& log_score);

}  // namespace dpvi
