#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include <dpvi/report/chart/density_curve.hpp>
#include <dpvi/report/chart/svg_heat_map.hpp>
#include <dpvi/report/number_text.hpp>
#include <dpvi/report/page/report_sections.hpp>

namespace dpvi {
namespace {

// Pictures of single parameters, and pairs of them, are drawn for the first few.
constexpr std::size_t kMostPictures = 24;
constexpr std::size_t kMostPairs = 20;
constexpr std::size_t kMostPoints = 250;

std::string density_picture(const ReportContent& content, std::size_t column) {
  const std::string& name = content.outputs[column].name;
  Chart chart{
      .title = name, .x_label = "", .y_label = "", .x_kind = Axis::Kind::linear, .y_ticks = false};
  std::vector<ChartPoint> posterior = density_curve(output_draws(content.bundle, column));
  ChartCurve prior{"prior", {}, true, false};
  if (const auto found = content.priors.find(name); found != content.priors.end()) {
    prior.points = interpolated(found->second.value, found->second.density, posterior);
  }
  chart.curves = {{"posterior", std::move(posterior), false, false, true}};
  if (!prior.points.empty()) chart.curves.push_back(std::move(prior));
  return figure_with(svg_card(chart, SvgUse::in_page), "");
}

// NaN if a column does not vary.
double correlation(const std::vector<double>& first, const std::vector<double>& second) {
  const auto count = static_cast<double>(first.size());
  double mean_first = 0.0, mean_second = 0.0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    mean_first += first[i] / count;
    mean_second += second[i] / count;
  }
  double both = 0.0, squares_first = 0.0, squares_second = 0.0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double a = first[i] - mean_first, b = second[i] - mean_second;
    both += a * b;
    squares_first += a * a;
    squares_second += b * b;
  }
  return both / std::sqrt(squares_first * squares_second);
}

// Draws for the scatter plot of the script: no letter of it can end the element.
std::string draws_for_script(const std::vector<std::string>& names,
                             const std::vector<std::vector<double>>& columns) {
  nlohmann::ordered_json lists = nlohmann::ordered_json::array();
  for (const std::vector<double>& column : columns) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    const std::size_t stride = (column.size() + kMostPoints - 1) / kMostPoints;
    for (std::size_t i = 0; i < column.size(); i += stride) {
      list.push_back(std::isfinite(column[i])
                         ? nlohmann::ordered_json(std::stod(number_text(column[i], 4)))
                         : nlohmann::ordered_json());
    }
    lists.push_back(std::move(list));
  }
  const nlohmann::ordered_json document = {{"names", names}, {"draws", lists}};
  std::string text = document.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
  std::string safe;
  for (const char letter : text) safe += letter == '<' ? "\\u003c" : std::string(1, letter);
  return fmt::format("<script type=\"application/json\" id=\"draws\">{}</script>\n", safe);
}

constexpr const char* kPairs =
    "<div id=\"pairs\" class=\"finder\" hidden>\n"
    "<label for=\"pair-x\">Compare the draws of</label> <select id=\"pair-x\"></select>\n"
    "<label for=\"pair-y\">with</label> <select id=\"pair-y\"></select>\n"
    "<figure><svg id=\"scatter\" class=\"chart\" viewBox=\"0 0 380 300\" width=\"380\" "
    "height=\"300\" role=\"img\" aria-label=\"Scatter plot of draws\"></svg></figure>\n</div>\n";

}  // namespace

PageSection densities_section(const ReportContent& content) {
  PageSection section{"densities", "Posterior and prior", ""};
  const std::size_t shown = std::min(kMostPictures, content.outputs.size());
  section.body = fmt::format(
      "<p>Shaded: the posterior, with model and privacy uncertainty. Dashed: the prior, if it can "
      "be computed. If both look alike, the result says little about the parameter.{}</p>\n",
      shown < content.outputs.size()
          ? fmt::format(" Shown are the first {} of {}.", shown, content.outputs.size())
          : "");
  if (shown > 1) {
    section.body +=
        "<div id=\"chooser\" class=\"finder\" hidden><label for=\"choose\">Show</label> "
        "<select id=\"choose\"></select></div>\n";
  }
  section.body += "<div class=\"cards\" id=\"cards\">\n";
  for (std::size_t i = 0; i < shown; ++i) section.body += density_picture(content, i);
  section.body += "</div>\n";
  return section;
}

std::optional<PageSection> correlations_section(const ReportContent& content) {
  const std::size_t shown = std::min(kMostPairs, content.outputs.size());
  if (shown < 2 || content.bundle.draws.draws.size() < 3) return std::nullopt;
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns, correlations(shown, std::vector<double>(shown, 1.0));
  for (std::size_t i = 0; i < shown; ++i) {
    names.push_back(content.outputs[i].name);
    columns.push_back(output_draws(content.bundle, i));
  }
  for (std::size_t i = 0; i < shown; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      correlations[i][j] = correlations[j][i] = correlation(columns[i], columns[j]);
    }
  }
  PageSection section{"correlations", "Correlations", ""};
  section.body = fmt::format(
      "<p>Correlations of the draws{}. Parameters that are strongly correlated are known better "
      "together than alone.</p>\n",
      shown < content.outputs.size() ? fmt::format(", of the first {} numbers", shown) : "");
  section.body += figure_with(
      svg_correlations("Correlations of the draws", names, correlations, SvgUse::in_page), "");
  section.body += kPairs + draws_for_script(names, columns);
  return section;
}

}  // namespace dpvi
