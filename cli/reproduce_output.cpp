#include "reproduce_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <dpvi/report/chart/svg_map.hpp>
#include <dpvi/report/markup.hpp>
#include <dpvi/report/page/page_frame.hpp>

#include "version.hpp"

namespace dpvi::cli {
namespace {

std::string number(const std::optional<double>& value, int digits) {
  return value && std::isfinite(*value) ? fmt::format("{:.{}g}", *value, digits) : "";
}

std::string verdict_cell(const PointResult& point) {
  return fmt::format("<td{}>{}</td>", point.missed() ? " class=\"missed\"" : "",
                     verdict_text(point));
}

std::string obtained_text(const PointResult& point) {
  return fmt::format("{:.4f}{}", point.score.mean,
                     point.score.runs > 1
                         ? fmt::format("&nbsp;&plusmn;&nbsp;{:.4f}", point.score.standard_error)
                         : "");
}

std::string expected_text(const PointResult& point) {
  if (!point.target) return {};
  const bool floor = point.target->gate == GateKind::at_least;
  return floor ? fmt::format("&ge; {:.4f}", point.target->expected)
               : fmt::format("{:.4f}&nbsp;&plusmn;&nbsp;{:.4f}", point.target->expected,
                             point.target->tolerance);
}

std::string page_row(const PointResult& point) {
  return fmt::format(
      "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
      "<td>{}</td><td>{}</td><td>{}</td><td>{}</td>{}</tr>\n",
      escaped_markup(point.reading), escaped_markup(point.series), escaped_markup(point.setting),
      number(point.epsilon_paper, 4), number(point.epsilon_advanced, 4),
      number(point.epsilon_substitute, 4), number(point.epsilon_add_remove, 4),
      obtained_text(point), point.log_score ? fmt::format("{:.4f}", point.log_score->mean) : "",
      point.score.runs, expected_text(point), verdict_cell(point));
}

constexpr const char* kAllColumns =
    "<thead><tr><th scope=\"col\">reading</th><th scope=\"col\">series</th><th scope=\"col\">"
    "setting</th><th scope=\"col\">&epsilon; paper</th><th scope=\"col\">&epsilon; advanced</th>"
    "<th scope=\"col\">&epsilon; substitute</th><th scope=\"col\">&epsilon; add/remove</th>"
    "<th scope=\"col\">mean &plusmn; s.e.</th><th scope=\"col\">log score</th><th scope=\"col\">"
    "runs</th><th scope=\"col\">expected</th><th scope=\"col\">verdict</th></tr></thead>\n";

std::string all_rows(const Figure& figure) {
  std::string out = fmt::format(
      "<details><summary>All results of {0}</summary><div class=\"wide\" tabindex=\"0\" "
      "role=\"region\" aria-label=\"All results of {0}\"><table>\n{1}<tbody>\n",
      figure.name, kAllColumns);
  for (const PointResult& point : figure.points) out += page_row(point);
  return out + "</tbody></table></div></details>\n";
}

// A comparison and, beside it, the rows that it shows.
std::string panel_beside_rows(const FigurePanel& panel) {
  const bool several = panel.points.front().series != panel.points.back().series;
  const bool compared = std::ranges::any_of(
      panel.points, [](const PointResult& point) { return point.target.has_value(); });
  std::string out =
      "<div class=\"side\">\n" + figure_with(svg_card(panel.chart, SvgUse::in_page), "");
  out += fmt::format(
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Results: {}\"><table>\n"
      "<thead><tr>{}<th scope=\"col\">&epsilon;</th><th scope=\"col\">obtained</th>{}"
      "</tr></thead>\n<tbody>\n",
      escaped_markup(panel.chart.title), several ? "<th scope=\"col\">series</th>" : "",
      compared ? "<th scope=\"col\">expected</th><th scope=\"col\">verdict</th>" : "");
  for (const PointResult& point : panel.points) {
    out += fmt::format("<tr>{}<th scope=\"row\">{}</th><td class=\"whole\">{}</td>{}</tr>\n",
                       several ? "<td>" + escaped_markup(point.series) + "</td>" : "",
                       number(point.shown_epsilon(), 3), obtained_text(point),
                       compared ? fmt::format("<td class=\"whole\">{}</td>{}", expected_text(point),
                                              verdict_cell(point))
                                : "");
  }
  return out + "</tbody></table></div>\n</div>\n";
}

PageSection figure_section(const Figure& figure) {
  PageSection section{figure.name, figure.name, ""};
  section.body = fmt::format(
      "<p><a href=\"{0}.csv\">{0}.csv</a>, <a href=\"{0}.svg\">{0}.svg</a></p>\n", figure.name);
  if (figure.panels.empty()) section.body += figure_with(figure.map_in_page, "");
  for (const FigurePanel& panel : figure.panels) section.body += panel_beside_rows(panel);
  section.body += all_rows(figure);
  return section;
}

std::string page_head(std::span<const Figure> figures, const ReproductionRun& run) {
  std::size_t missed = 0, undecided = 0, gated = 0;
  for (const Figure& figure : figures) {
    for (const PointResult& point : figure.points) {
      missed += point.missed() ? 1 : 0;
      undecided += point.undecided() ? 1 : 0;
      gated += point.target && point.target->gate != GateKind::shown ? 1 : 0;
    }
  }
  std::string out = fmt::format(
      "<h1>Jälkö, Dikmen &amp; Honkela (2017), reproduced</h1>\n"
      "<p>{} of {} gated targets missed, {} undecided. {} runs of each point{}{}, {} at a time, "
      "{:.0f} s, started {} UTC.</p>\n",
      missed, gated, undecided, run.runs, " (more if a target needs more, one without noise)",
      run.quick ? ", quick: few points and wide tolerances" : "", run.threads, run.seconds,
      run.started_at);
  out +=
      "<p>ε paper is the paper's own accounting (moments accountant; the published claim of "
      "DP-SGLD). ε substitute and ε add/remove are certified upper bounds for the run, at the same "
      "δ. Scores are means over runs with their standard errors, in which misses are counted. All "
      "panels of a figure have the same range of scores; a score outside stands at the edge, with "
      "its value.</p>\n";
  for (const std::string& seed : run.seeds) out += fmt::format("<p>{}</p>\n", escaped_markup(seed));
  return out + code_block("dpvi --version", version_text());
}

std::string index_page(std::span<const Figure> figures, const ReproductionRun& run) {
  Page page{.title = "Jälkö, Dikmen & Honkela (2017), reproduced",
            .head = page_head(figures, run),
            .sections = {}};
  for (const Figure& figure : figures) page.sections.push_back(figure_section(figure));
  return page_html(page);
}

}  // namespace

void draw_figure(Figure& figure) {
  figure.panels = figure_panels(figure.name, figure.points);
  std::vector<Chart> charts;
  for (const FigurePanel& panel : figure.panels) charts.push_back(panel.chart);
  figure.picture =
      svg_panels("Jälkö, Dikmen & Honkela (2017), " + figure.name, charts, SvgUse::file);
}

void draw_mixtures(Figure& figure, std::span<const MixtureView> views) {
  std::vector<MapPanel> panels;
  for (const MixtureView& view : views) {
    MapPanel panel{view.title, view.setting, {}, {}};
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
  const std::string title = "Fitted mixtures over the records (circles: 2 sd)";
  figure.picture = svg_map(title, panels, SvgUse::file);
  figure.map_in_page = svg_map(title, panels, SvgUse::in_page);
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
