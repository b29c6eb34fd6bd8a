#include <dpvi/experiment/target.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace dpvi {
namespace {

bool is_inside(const Target& target, double mean) {
  const double distance = mean - target.expected;
  if (target.gate == GateKind::at_least) return distance >= -target.tolerance;
  return std::abs(distance) <= target.tolerance;
}

}  // namespace

std::string_view name_of(GateKind gate) {
  switch (gate) {
    case GateKind::within:
      return "within";
    case GateKind::at_least:
      return "at-least";
    case GateKind::shown:
      return "shown";
  }
  return "";
}

RunMean mean_of_runs(std::span<const double> scores) {
  RunMean result;
  result.runs = scores.size();
  result.worst = std::numeric_limits<double>::infinity();
  const auto count = static_cast<double>(scores.size());
  for (const double score : scores) {
    result.mean += score / count;
    result.worst = std::min(result.worst, score);
  }
  double squares = 0.0;
  for (const double score : scores) squares += (score - result.mean) * (score - result.mean);
  result.standard_error = std::sqrt(squares / (count - 1.0) / count);
  return result;
}

Verdict judge(const Target& target, const RunMean& score, const std::optional<RunMean>& log_score) {
  Verdict verdict;
  verdict.miss = (score.mean - target.expected) / score.standard_error;
  verdict.inside = is_inside(target, score.mean);
  if (target.worst_at_least && !(score.worst >= *target.worst_at_least)) verdict.inside = false;
  if (target.log_score_at_least) {
    if (!log_score || !(log_score->mean >= *target.log_score_at_least)) verdict.inside = false;
  }
  verdict.missed = !verdict.inside && target.gate != GateKind::shown;
  return verdict;
}

}  // namespace dpvi
