#include "reproduce_panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include <dpvi/eval/draw_summary.hpp>

namespace dpvi::cli {
namespace {

using PointResults = std::span<const PointResult>;
using Epsilon = std::optional<double>;

// Groups adjacent points of the same series and reading.
std::vector<PointResults> by_series(PointResults points) {
  std::vector<PointResults> groups;
  std::size_t first = 0;
  for (std::size_t i = 1; i <= points.size(); ++i) {
    const bool same = i < points.size() && points[i].series == points[first].series &&
                      points[i].reading == points[first].reading;
    if (same) continue;
    groups.push_back(points.subspan(first, i - first));
    first = i;
  }
  return groups;
}

bool is_private(const PointResult& point) {
  return point.method == "dpvi" || point.method == "dp-sgld";
}

ChartCurve obtained_curve(PointResults points, const std::string& name,
                          Epsilon PointResult::*epsilon = nullptr) {
  ChartCurve curve{name, {}};
  for (const PointResult& point : points) {
    const Epsilon x = epsilon == nullptr ? point.shown_epsilon() : point.*epsilon;
    if (x) curve.points.push_back({*x, point.score.mean, point.score.standard_error});
  }
  return curve;
}

// Expected scores: those published, or those of other runs with the paper's settings.
ChartCurve expected_curve(PointResults points) {
  ChartCurve curve{"expected", {}, true};
  for (const PointResult& point : points) {
    if (!point.target || point.target->gate == GateKind::at_least) continue;
    if (const Epsilon x = point.shown_epsilon()) {
      curve.points.push_back({*x, point.target->expected});
    }
  }
  return curve;
}

// Scores that are the least to be reached.
ChartCurve least_curve(PointResults points) {
  ChartCurve curve{"at least", {}, true};
  for (const PointResult& point : points) {
    if (!point.target || point.target->gate != GateKind::at_least) continue;
    if (const Epsilon x = point.shown_epsilon()) {
      curve.points.push_back({*x, point.target->expected});
    }
  }
  return curve;
}

// Without protection: the result of the same reading, or of any other.
std::vector<ChartLevel> levels_for(PointResults points, const std::string& reading) {
  const PointResult* found = nullptr;
  for (const PointResult& point : points) {
    if (point.method != "non-private") continue;
    if (found == nullptr || point.reading == reading) found = &point;
  }
  if (found == nullptr) return {};
  return {{"without protection", found->score.mean}};
}

// All scores and their error bars except outliers, by Tukey's rule for those far out.
std::optional<std::pair<double, double>> readable_range(PointResults points) {
  std::vector<double> scores;
  const auto take = [&](double score) {
    if (std::isfinite(score)) scores.push_back(score);
  };
  for (const PointResult& point : points) {
    if (point.method == "difference") continue;
    take(point.score.mean);
    if (point.score.runs > 1) {
      take(point.score.mean - point.score.standard_error);
      take(point.score.mean + point.score.standard_error);
    }
    if (point.target) take(point.target->expected);
  }
  if (scores.empty()) return std::nullopt;
  std::ranges::sort(scores);
  const double first = quantile(scores, 0.25), third = quantile(scores, 0.75);
  const double reach = std::max(3.0 * (third - first), 0.02);
  const double low = std::max(scores.front(), first - reach);
  const double high = std::min(scores.back(), third + reach);
  const double margin = 0.08 * (high - low) + 1e-3;
  return std::pair{low - margin, high + margin};
}

class PanelMaker {
 public:
  PanelMaker(std::string figure, PointResults points)
      : figure_(std::move(figure)), points_(points), range_(readable_range(points)) {}

  std::vector<FigurePanel> panels() {
    const std::vector<PointResults> groups = by_series(points_);
    for (const PointResults group : groups) {
      if (is_private(group[0])) add_against_expected(group);
    }
    for (const PointResults group : groups) {
      if (group[0].method == "dpvi") add_against_sgld(group, groups);
    }
    for (const PointResults group : groups) {
      if (is_private(group[0]) && group[0].epsilon_advanced && figure_.starts_with("fig1")) {
        add_accountants(group);
      }
    }
    return std::move(panels_);
  }

 private:
  void add(const std::string& title, PointResults group, std::vector<ChartCurve> curves) {
    std::erase_if(curves, [](const ChartCurve& curve) { return curve.points.empty(); });
    panels_.push_back({{.title = title,
                        .x_label = "epsilon (logarithmic)",
                        .y_label = "test " + group[0].measure,
                        .curves = std::move(curves),
                        .levels = levels_for(points_, group[0].reading),
                        .y_range = range_},
                       {group.begin(), group.end()}});
  }

  void add_against_expected(PointResults group) {
    add(fmt::format("{} ({})", group[0].series, group[0].reading), group,
        {obtained_curve(group, "obtained"), expected_curve(group), least_curve(group)});
  }

  void add_against_sgld(PointResults group, const std::vector<PointResults>& groups) {
    for (const PointResults other : groups) {
      if (other[0].method != "dp-sgld" || other[0].reading != group[0].reading) continue;
      add(fmt::format("{} and {} ({})", group[0].series, other[0].series, group[0].reading), group,
          {obtained_curve(group, group[0].series), obtained_curve(other, other[0].series)});
      std::ranges::copy(other, std::back_inserter(panels_.back().points));
    }
  }

  void add_accountants(PointResults group) {
    add(fmt::format("{} ({}), two accountants", group[0].series, group[0].reading), group,
        {obtained_curve(group, "moments accountant", &PointResult::epsilon_paper),
         obtained_curve(group, "advanced composition", &PointResult::epsilon_advanced)});
  }

  std::string figure_;
  PointResults points_;
  std::optional<std::pair<double, double>> range_;
  std::vector<FigurePanel> panels_;
};

}  // namespace

std::vector<FigurePanel> figure_panels(const std::string& figure, PointResults points) {
  return PanelMaker(figure, points).panels();
}

}  // namespace dpvi::cli
