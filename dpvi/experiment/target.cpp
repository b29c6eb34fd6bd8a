#include <dpvi/experiment/target.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace dpvi {
namespace {

// Standard errors by which a mean may be outside by chance.
constexpr double kNoiseAllowed = 2.0;

bool is_inside(const Target& target, double mean, double room) {
  const double distance = mean - target.expected;
  if (target.gate == GateKind::at_least) return distance >= -(target.tolerance + room);
  return std::abs(distance) <= target.tolerance + room;
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
  bool others = !target.worst_at_least || score.worst >= *target.worst_at_least;
  if (target.log_score_at_least) {
    others = others && log_score && log_score->mean >= *target.log_score_at_least;
  }
  verdict.inside = others && is_inside(target, score.mean, 0.0);
  const bool noisy = target.allows_noise && std::isfinite(score.standard_error);
  const double room = noisy ? kNoiseAllowed * score.standard_error : 0.0;
  verdict.missed =
      target.gate != GateKind::shown && !(others && is_inside(target, score.mean, room));
  return verdict;
}

}  // namespace dpvi
