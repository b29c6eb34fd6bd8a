#include <dpvi/experiment/target.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace dpvi {
namespace {

// How far the mean is outside its target; not positive if it is inside.
double distance_outside(const Target& target, double mean) {
  const double below = target.expected - mean;
  const double distance = target.gate == GateKind::at_least ? below : std::abs(below);
  return distance - target.tolerance;
}

// Takes the outcome of one comparison into account: a mean that is `outside` its limit.
void add_comparison(Verdict& verdict, double outside, const RunMean& score) {
  constexpr double kErrors = 2.0;
  if (outside <= 0.0) return;
  const double errors = outside / score.standard_error;
  if (std::isnan(outside) || errors > kErrors) {
    verdict.outcome = Outcome::missed;
    return;
  }
  verdict.outcome = std::max(verdict.outcome, Outcome::undecided);
  if (std::isnan(errors)) return;
  const double times = kErrors * kErrors / (errors * errors);
  constexpr double kMost = 1e9;
  const double needed = std::min(kMost, std::ceil(static_cast<double>(score.runs) * times));
  verdict.runs_needed = std::max(verdict.runs_needed, static_cast<std::size_t>(needed));
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

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::met:
      return "met";
    case Outcome::undecided:
      return "undecided";
    case Outcome::missed:
      return "missed";
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
  add_comparison(verdict, distance_outside(target, score.mean), score);
  if (target.worst_at_least && !(score.worst >= *target.worst_at_least)) {
    verdict.outcome = Outcome::missed;
  }
  if (target.log_score_at_least) {
    const RunMean none{.mean = std::numeric_limits<double>::quiet_NaN()};
    const RunMean& found = log_score ? *log_score : none;
    add_comparison(verdict, *target.log_score_at_least - found.mean, found);
  }
  return verdict;
}

}  // namespace dpvi
