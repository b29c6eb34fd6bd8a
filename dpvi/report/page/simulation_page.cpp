#include <dpvi/report/page/simulation_page.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include <dpvi/eval/simulation_summary.hpp>
#include <dpvi/report/chart/svg_chart.hpp>
#include <dpvi/report/markup.hpp>
#include <dpvi/report/page/page_frame.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kMostCharts = 12;  // numbers with a picture of their own

using CellNumber = std::function<double(const SimulatedCell& cell)>;

// Cells that differ in one number, which is that of the x axis, are a curve.
struct Curves {
  CellNumber x;
  std::function<std::string(const SimulatedCell& cell)> name;
};

std::string settings_prefix(const SimulatedCell& cell) {
  return cell.settings.empty() ? "" : cell.settings + ", ";
}

Curves against_rows() {
  return {[](const SimulatedCell& cell) { return static_cast<double>(cell.rows); },
          [](const SimulatedCell& cell) {
            return fmt::format("{}epsilon {:g}", settings_prefix(cell), cell.epsilon);
          }};
}

Curves against_epsilon() {
  return {[](const SimulatedCell& cell) { return cell.epsilon; },
          [](const SimulatedCell& cell) {
            return fmt::format("{}{} rows", settings_prefix(cell), cell.rows);
          }};
}

std::vector<ChartCurve> curves_of(const Simulation& simulation, const Curves& curves,
                                  const CellNumber& y, const CellNumber& error) {
  std::vector<ChartCurve> found;
  for (const SimulatedCell& cell : simulation.cells) {
    const std::string name = curves.name(cell);
    auto curve = std::ranges::find(found, name, &ChartCurve::name);
    if (curve == found.end()) curve = found.insert(found.end(), ChartCurve{name, {}});
    curve->points.push_back({curves.x(cell), y(cell), error(cell)});
  }
  for (ChartCurve& curve : found) std::ranges::sort(curve.points, {}, &ChartPoint::x);
  return found;
}

double no_error(const SimulatedCell&) { return 0.0; }

Chart width_chart(const Simulation& simulation, std::size_t number, const Curves& curves,
                  const std::string& axis) {
  const SimulatedNumber& what = simulation.numbers[number];
  Chart chart{.title = fmt::format("{}: interval against {}", what.name, axis),
              .x_label = axis + " (logarithmic)",
              .y_label = "width of a 90 % interval (logarithmic)",
              .y_kind = Axis::Kind::logarithmic,
              .description = "One line for each plan; a table has the numbers."};
  chart.curves = curves_of(
      simulation, curves, [number](const SimulatedCell& cell) { return cell.scores[number].width; },
      no_error);
  if (std::isfinite(what.prior_width) && what.prior_width > 0.0) {
    chart.levels.push_back({"prior", what.prior_width});
  }
  return chart;
}

Chart coverage_chart(const Simulation& simulation, const Curves& curves, const std::string& axis) {
  Chart chart{.title = "Intervals that contain the truth against " + axis,
              .x_label = axis + " (logarithmic)",
              .y_label = "share, over all parameters",
              .description = "With standard errors. The line is where 90 % intervals belong."};
  chart.curves = curves_of(
      simulation, curves, [](const SimulatedCell& cell) { return summary_of(cell).coverage; },
      [](const SimulatedCell& cell) { return summary_of(cell).coverage_se; });
  chart.levels.push_back({"90 %", 0.9});
  chart.y_range = {0.0, 1.0};
  return chart;
}

std::string picture(const Chart& chart) {
  return figure_with(svg_chart(chart, SvgUse::in_page), "");
}

PageSection pictures(const Simulation& simulation, const Curves& curves, const std::string& id,
                     const std::string& axis) {
  std::string body;
  for (std::size_t i = 0; i < std::min(kMostCharts, simulation.numbers.size()); ++i) {
    body += picture(width_chart(simulation, i, curves, axis));
  }
  return {id, fmt::format("Against {}", axis),
          body + picture(coverage_chart(simulation, curves, axis))};
}

std::string statuses(const SimulatedCell& cell) {
  std::string text;
  for (const FitStatus status : kFitStatuses) {
    if (cell.count(status) == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", cell.count(status), name_of(status));
  }
  return text;
}

std::string table_of(const Simulation& simulation, const SimulatedCell& cell) {
  std::string out = fmt::format(
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Numbers\"><table "
      "class=\"numbers\">\n<caption>{}epsilon {:g}, {} rows: {} fits, {}</caption>\n<thead><tr>"
      "<th scope=\"col\">Parameter</th><th scope=\"col\">interval</th>"
      "<th scope=\"col\">of the prior's</th><th scope=\"col\">contains the truth</th>"
      "<th scope=\"col\">bias</th><th scope=\"col\">rmse</th><th scope=\"col\">sd, model</th>"
      "<th scope=\"col\">sd, privacy</th></tr></thead>\n<tbody>\n",
      escaped_markup(settings_prefix(cell)), cell.epsilon, cell.rows, cell.fits(), statuses(cell));
  for (const SummarisedNumber& row : summarised_numbers(simulation, cell)) {
    const FitScore& score = row.score;
    out += fmt::format("<tr><th scope=\"row\">{}</th>", escaped_markup(row.name));
    for (const double value : {score.width, score.width_of_prior, score.coverage, score.bias,
                               score.rmse, score.sd_model, score.sd_privacy}) {
      out += fmt::format("<td>{}</td>", shown_number(value));
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

}  // namespace

std::string simulation_html(const Simulation& simulation, const std::string& model) {
  std::set<double> epsilons;
  std::set<std::int64_t> rows;
  for (const SimulatedCell& cell : simulation.cells) {
    epsilons.insert(cell.epsilon);
    rows.insert(cell.rows);
  }
  Page page{
      .title = "dpvi simulate: " + model,
      .head = fmt::format("<h1>What a fit of {} will be worth</h1>\n<p class=\"facts\">From {} "
                          "mock tables with known true parameters. No record was read.</p>\n",
                          escaped_markup(model), simulation.tables),
      .sections = {}};
  if (rows.size() > 1)
    page.sections.push_back(pictures(simulation, against_rows(), "rows", "rows"));
  if (epsilons.size() > 1) {
    page.sections.push_back(pictures(simulation, against_epsilon(), "epsilon", "epsilon"));
  }
  std::string tables;
  if (!simulation.notes.empty()) tables += bullet_list(simulation.notes);
  for (const SimulatedCell& cell : simulation.cells) tables += table_of(simulation, cell);
  page.sections.push_back({"numbers", "All numbers", tables});
  return page_html(page);
}

}  // namespace dpvi
