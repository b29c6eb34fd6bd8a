#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <dpvi/report/chart/svg_chart.hpp>
#include <dpvi/report/chart/svg_forest.hpp>
#include <dpvi/report/column_names.hpp>
#include <dpvi/report/page/report_sections.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kMostPaths = 12;
constexpr std::size_t kMostForecasts = 40;

// The first `most` positions, or those with the largest keys, in order. NaN counts as largest.
std::vector<std::size_t> most_telling(const std::vector<double>& keys, std::size_t size,
                                      std::size_t most) {
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (size <= most) return order;
  if (keys.size() == size) {
    const auto key = [&](std::size_t i) { return std::isnan(keys[i]) ? INFINITY : keys[i]; };
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return key(a) > key(b); });
  }
  order.resize(most);
  std::ranges::sort(order);
  return order;
}

double total_steps(const ReportContent& content) {
  double steps = 0.0;
  for (const ReportPhase& phase : content.statement.phases) steps += phase.steps;
  return steps > 0.0 ? steps : content.path->steps.back();
}

}  // namespace

std::optional<PageSection> iterates_section(const ReportContent& content) {
  if (!content.path) return std::nullopt;
  const Posterior& posterior = content.bundle.posterior;
  const std::size_t size = posterior.unconstrained_names.size();
  const std::vector<std::size_t> shown = most_telling(posterior.r_hat, size, kMostPaths);
  PageSection section{"iterates", "Course of the fit", ""};
  section.body = fmt::format(
      "<p>Released iterates of {} on the unconstrained scale. The result is their average over the "
      "shaded window. Inside it they should scatter around one level; a slope means that the fit "
      "had not arrived.</p>\n<div class=\"cards\">\n",
      shown.size() < size
          ? fmt::format("the {} parameters (of {}) with the largest R-hat", shown.size(), size)
          : "all parameters");
  const double steps = total_steps(content);
  for (const std::size_t i : shown) {
    Chart chart{.title = bracketed_name(posterior.unconstrained_names[i]),
                .x_label = "step",
                .y_label = "",
                .x_kind = Axis::Kind::linear};
    ChartCurve curve{"released iterate", {}, false, false};
    for (std::size_t k = 0; k < content.path->steps.size(); ++k) {
      curve.points.push_back({content.path->steps[k], content.path->locations[k][i]});
    }
    chart.curves = {std::move(curve)};
    if (const auto share = content.run.averaged_share; share && *share > 0.0 && *share <= 1.0) {
      chart.windows = {{"averaged", steps * (1.0 - *share), steps}};
    }
    section.body += figure_with(svg_card(chart, SvgUse::in_page), "");
  }
  section.body += "</div>\n";
  return section;
}

std::optional<PageSection> forecast_section(const ReportContent& content) {
  if (!content.forecast) return std::nullopt;
  const auto& [forecast, obtained] = *content.forecast;
  const std::vector<std::string>& names = content.bundle.posterior.unconstrained_names;
  std::vector<double> ratios;
  for (std::size_t i = 0; i < names.size(); ++i) {
    ratios.push_back(std::abs(std::log(obtained[i] / forecast[i])));
  }
  std::vector<DumbbellRow> rows;
  for (const std::size_t i : most_telling(ratios, names.size(), kMostForecasts)) {
    rows.push_back({bracketed_name(names[i]), forecast[i], obtained[i]});
  }
  PageSection section{"forecast", "Noise: forecast and outcome", ""};
  section.body =
      "<p>Before the table was opened, mock records forecast how much the privacy noise would move "
      "each unconstrained parameter. Beside it stands what the releases of the fit say. If they "
      "differ much, the declared facts or the number of rows do not describe the table.</p>\n";
  section.body +=
      figure_with(svg_dumbbells({"Standard deviation due to privacy",
                                 "standard deviation (logarithmic)", "forecast", "in this fit"},
                                rows, SvgUse::in_page),
                  "");
  return section;
}

}  // namespace dpvi
