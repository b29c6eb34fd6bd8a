#include "reproduce_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <dpvi/report/markup.hpp>
#include <dpvi/report/svg_chart.hpp>

#include "version.hpp"

namespace dpvi::cli {
namespace {

// Groups adjacent points of the same series and reading.
std::vector<std::span<const PointResult>> by_series(std::span<const PointResult> points) {
  std::vector<std::span<const PointResult>> groups;
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

ChartCurve curve_of(std::span<const PointResult> points, const std::string& name,
                    std::optional<double> PointResult::*epsilon) {
  ChartCurve curve{name, {}};
  for (const PointResult& point : points) {
    const std::optional<double> x = epsilon == nullptr ? point.shown_epsilon() : point.*epsilon;
    if (x) curve.points.push_back({*x, point.score.mean, point.score.standard_error});
  }
  return curve;
}

// Expected scores: those published, or those of other runs with the paper's settings.
ChartCurve paper_curve(std::span<const PointResult> points) {
  ChartCurve curve{"expected: " + points[0].series, {}, true, true};
  for (const PointResult& point : points) {
    if (!point.target || point.target->gate == GateKind::at_least) continue;
    if (const auto x = point.shown_epsilon()) curve.points.push_back({*x, point.target->expected});
  }
  return curve;
}

std::string x_label_of(const std::string& figure) {
  return figure == "fig4" ? "epsilon (logarithmic)"
                          : "epsilon (logarithmic; the paper's curves by its own accounting)";
}

std::string number(const std::optional<double>& value, int digits) {
  return value && std::isfinite(*value) ? fmt::format("{:.{}g}", *value, digits) : "";
}

std::string verdict_cell(const PointResult& point) {
  return fmt::format("<td{}>{}</td>", point.missed() ? " class=\"missed\"" : "",
                     verdict_text(point));
}

std::string page_row(const PointResult& point) {
  std::string expected;
  if (point.target) {
    const bool floor = point.target->gate == GateKind::at_least;
    expected = floor ? fmt::format("&ge; {:.4f}", point.target->expected)
                     : fmt::format("{:.4f} &plusmn; {:.4f}", point.target->expected,
                                   point.target->tolerance);
  }
  return fmt::format(
      "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
      "<td>{:.4f}{}</td><td>{}</td><td>{}</td><td>{}</td>{}</tr>\n",
      escaped_markup(point.reading), escaped_markup(point.series), escaped_markup(point.setting),
      number(point.epsilon_paper, 4), number(point.epsilon_advanced, 4),
      number(point.epsilon_substitute, 4), number(point.epsilon_add_remove, 4), point.score.mean,
      point.score.runs > 1 ? fmt::format(" &plusmn; {:.4f}", point.score.standard_error) : "",
      point.log_score ? fmt::format("{:.4f}", point.log_score->mean) : "", point.score.runs,
      expected, verdict_cell(point));
}

constexpr const char* kPageStyle =
    "<style>\n:root { color-scheme: light dark }\nbody { font-family: sans-serif; margin: 2em auto;"
    " max-width: 1100px; padding: 0 1em }\ntable { border-collapse: collapse; font-size: 85% }\n"
    "td, th { border-bottom: 1px solid #8886; padding: 2px 8px; text-align: left }\n"
    ".missed { color: #d55e00; font-weight: bold }\nsvg { max-width: 100%; height: auto }\n"
    "</style>\n";

std::string figure_section(const Figure& figure) {
  std::string out = fmt::format(
      "<h2 id=\"{0}\">{0}</h2>\n{1}\n<p><a href=\"{0}.csv\">{0}.csv</a>, "
      "<a href=\"{0}.svg\">{0}.svg</a></p>\n",
      figure.name, figure.picture);
  out +=
      "<table>\n<tr><th>reading</th><th>curve</th><th>setting</th><th>&epsilon; paper</th>"
      "<th>&epsilon; advanced</th><th>&epsilon; substitute</th><th>&epsilon; add/remove</th>"
      "<th>mean &plusmn; s.e.</th><th>log score</th><th>runs</th><th>expected</th><th></th></tr>\n";
  for (const PointResult& point : figure.points) out += page_row(point);
  return out + "</table>\n";
}

std::string index_page(std::span<const Figure> figures, const ReproductionRun& run) {
  std::size_t missed = 0, undecided = 0, gated = 0;
  for (const Figure& figure : figures) {
    for (const PointResult& point : figure.points) {
      missed += point.missed() ? 1 : 0;
      undecided += point.undecided() ? 1 : 0;
      gated += point.target && point.target->gate != GateKind::shown ? 1 : 0;
    }
  }
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<title>Jälkö, Dikmen &amp; Honkela (2017), reproduced</title>\n{}</head><body>\n"
      "<h1>Jälkö, Dikmen &amp; Honkela (2017), reproduced</h1>\n"
      "<p>{} of {} gated targets missed, {} undecided. {} runs of each point{}{}, {} at a time, "
      "{:.0f} seconds, "
      "started {} UTC.</p>\n",
      kPageStyle, missed, gated, undecided, run.runs,
      " (more if a target needs more, one without noise)",
      run.quick ? ", quick: few points and wide tolerances" : "", run.threads, run.seconds,
      run.started_at);
  out +=
      "<p>ε paper is the paper's own accounting (moments accountant; the published claim of "
      "DP-SGLD). ε substitute and ε add/remove are certified upper bounds for the run, at the same "
      "δ. Scores are means over runs with their standard errors, in which misses are "
      "counted.</p>\n";
  for (const std::string& seed : run.seeds) out += fmt::format("<p>{}</p>\n", escaped_markup(seed));
  out += fmt::format("<pre>{}</pre>\n", escaped_markup(version_text()));
  for (const Figure& figure : figures) out += figure_section(figure);
  return out + "</body></html>\n";
}

}  // namespace

std::string figure_chart(const std::string& figure, std::span<const PointResult> points) {
  Chart chart{.title = "Jälkö, Dikmen & Honkela (2017), " + figure,
              .x_label = x_label_of(figure),
              .y_label = points.empty() ? "" : "test " + points[0].measure,
              .curves = {},
              .levels = {}};
  for (const std::span<const PointResult> group : by_series(points)) {
    const PointResult& first = group[0];
    const std::string name = fmt::format("{} ({})", first.series, first.reading);
    if (first.method == "difference") continue;
    if (first.method == "non-private") {
      chart.levels.push_back({name, first.score.mean});
      continue;
    }
    chart.curves.push_back(curve_of(group, name, nullptr));
    if (ChartCurve paper = paper_curve(group); !paper.points.empty()) {
      chart.curves.push_back(std::move(paper));
    }
    if (first.epsilon_advanced && figure.starts_with("fig1")) {
      chart.curves.push_back(curve_of(group, name + ", advanced", &PointResult::epsilon_advanced));
    }
  }
  return svg_chart(chart);
}

std::string mixture_map(const std::string& title, std::span<const MixtureView> views) {
  std::vector<MapPanel> panels;
  for (const MixtureView& view : views) {
    MapPanel panel{view.title, {}, {}};
    for (std::size_t row = 0; row < view.table->training_rows; ++row) {
      panel.points.push_back(
          {std::stod(view.table->rows[row][0]), std::stod(view.table->rows[row][1])});
    }
    const auto first_of = [&](const std::string& name) {
      std::size_t first = 0;
      for (const OutputVariable& output : view.model->outputs()) {
        if (output.name == name) return first;
        first += static_cast<std::size_t>(output.size());
      }
      return first;
    };
    const std::size_t weights = first_of("pi"), means = first_of("mu"), variances = first_of("tau");
    const std::size_t components = means - weights;
    for (const std::vector<double>& values : view.posterior->outputs) {
      for (std::size_t k = 0; k < components; ++k) {
        const double share = 1.0 / static_cast<double>(view.posterior->outputs.size());
        const double weight = values[weights + k] * static_cast<double>(components);
        panel.circles.push_back({{values[means + k], values[means + components + k]},
                                 2.0 * std::sqrt(values[variances + k]),
                                 weight * std::max(share, 0.3)});
      }
    }
    panels.push_back(std::move(panel));
  }
  return svg_map(title, panels);
}

std::vector<FolderFile> reproduction_files(std::span<const Figure> figures,
                                           const ReproductionRun& run) {
  std::vector<FolderFile> files;
  for (const Figure& figure : figures) {
    files.push_back({figure.name + ".csv", results_csv(figure.points)});
    files.push_back({figure.name + ".svg", figure.picture});
  }
  files.push_back({"index.html", index_page(figures, run)});
  return files;
}

}  // namespace dpvi::cli
