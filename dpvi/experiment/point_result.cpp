#include <dpvi/experiment/point_result.hpp>

#include <fmt/format.h>

#include <cmath>

namespace dpvi {
namespace {

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char character : text) {
    if (character == '"') quoted += '"';
    quoted += character;
  }
  return quoted + "\"";
}

std::string cell(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? fmt::format("{:.6g}", *value) : "";
}

std::optional<double> tolerance_in_errors(const PointResult& point) {
  if (!point.target || point.score.runs < 2) return std::nullopt;
  return point.target->tolerance / point.score.standard_error;
}

// A single run has no standard error.
std::string error_description(const RunMean& score) {
  return score.runs > 1 ? fmt::format("± {:.4f}", score.standard_error) : "";
}

}  // namespace

std::string verdict_text(const PointResult& point) {
  if (!point.verdict) return "";
  const Verdict& verdict = *point.verdict;
  std::string text(name_of(verdict.outcome));
  if (verdict.outcome == Outcome::met) return text;
  if (std::isfinite(verdict.miss)) text += fmt::format(", {:+.1f} standard errors", verdict.miss);
  if (verdict.runs_needed > 0 && verdict.outcome == Outcome::undecided) {
    text += fmt::format(" (about {} runs would decide)", verdict.runs_needed);
  }
  if (!point.missed() && !point.undecided()) text += " (not gated)";
  return text;
}

std::optional<double> PointResult::shown_epsilon() const {
  if (epsilon_published) return epsilon_published;
  return epsilon_asked ? epsilon_asked : epsilon_paper;
}

std::string results_csv(std::span<const PointResult> points) {
  std::string out =
      "figure,reading,series,method,setting,delta,epsilon_published,epsilon_paper,"
      "epsilon_paper_advanced,epsilon_substitute,epsilon_add_remove,measure,mean,standard_error,"
      "runs,worst,log_score,log_score_standard_error,gate,expected,tolerance,"
      "tolerance_in_standard_errors,verdict,miss_in_standard_errors,runs_needed\n";
  for (const PointResult& point : points) {
    using Number = std::optional<double>;
    const auto target = [&](auto field) {
      return point.target ? Number((*point.target).*field) : Number();
    };
    const auto log_score = [&](auto field) {
      return point.log_score ? Number((*point.log_score).*field) : Number();
    };
    const std::string_view outcome = point.verdict ? name_of(point.verdict->outcome) : "";
    const std::string cells[] = {cell(point.figure),
                                 cell(point.reading),
                                 cell(point.series),
                                 cell(point.method),
                                 cell(point.setting),
                                 cell(Number(point.delta)),
                                 cell(point.epsilon_published),
                                 cell(point.epsilon_paper),
                                 cell(point.epsilon_advanced),
                                 cell(point.epsilon_substitute),
                                 cell(point.epsilon_add_remove),
                                 cell(point.measure),
                                 cell(Number(point.score.mean)),
                                 cell(Number(point.score.standard_error)),
                                 fmt::format("{}", point.score.runs),
                                 cell(Number(point.score.worst)),
                                 cell(log_score(&RunMean::mean)),
                                 cell(log_score(&RunMean::standard_error)),
                                 point.target ? std::string(name_of(point.target->gate)) : "",
                                 cell(target(&Target::expected)),
                                 cell(target(&Target::tolerance)),
                                 cell(tolerance_in_errors(point)),
                                 std::string(outcome),
                                 point.verdict ? cell(Number(point.verdict->miss)) : "",
                                 point.undecided() && point.verdict->runs_needed > 0
                                     ? fmt::format("{}", point.verdict->runs_needed)
                                     : ""};
    out += fmt::format("{}\n", fmt::join(cells, ","));
  }
  return out;
}

std::string results_table(std::span<const PointResult> points) {
  std::string out;
  std::string group;
  for (const PointResult& point : points) {
    const std::string own = fmt::format("{}: {} ({})", point.figure, point.series, point.reading);
    if (own != group) {
      group = own;
      out += fmt::format("\n{}\n", own);
    }
    out += fmt::format("  {:<36} {:>8.4f} {:<9}", point.setting, point.score.mean,
                       error_description(point.score));
    if (point.log_score) out += fmt::format(" log score {:>7.3f}", point.log_score->mean);
    if (point.target) {
      const bool floor = point.target->gate == GateKind::at_least;
      out += fmt::format("  {} {:.4f}", floor ? "at least" : "expected", point.target->expected);
      if (!floor) out += fmt::format(" ± {:.4f}", point.target->tolerance);
      if (point.verdict->outcome != Outcome::met) out += "  " + verdict_text(point);
    }
    out += "\n";
  }
  return out;
}

}  // namespace dpvi
