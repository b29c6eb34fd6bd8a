#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include <dpvi/report/chart/density_curve.hpp>
#include <dpvi/report/chart/svg_heat_map.hpp>
#include <dpvi/report/markup.hpp>
#include <dpvi/report/number_text.hpp>
#include <dpvi/report/page/report_sections.hpp>

namespace dpvi {
namespace {

// Pictures of single parameters, and pairs of them, are drawn for the first few.
constexpr std::size_t kMostPictures = 24;
constexpr std::size_t kMostPairs = 20;
constexpr std::size_t kMostPoints = 250;

// A prior whose density does not vanish at an end of its curve has a bound near it.
Support support_of(const ReportCurve& prior) {
  constexpr double kVanished = 0.1;  // of the largest density
  if (prior.value.size() < 2) return {};
  const double vanished = kVanished * std::ranges::max(prior.density);
  const auto [first, last] = std::minmax({std::pair(prior.value.front(), prior.density.front()),
                                          std::pair(prior.value.back(), prior.density.back())});
  Support support;
  if (first.second > vanished) support.low = first.first;
  if (last.second > vanished) support.high = last.first;
  return support;
}

// Empty if the draws have no density.
std::string density_picture(const ReportContent& content, std::size_t column) {
  const std::string& name = content.outputs[column].name;
  Chart chart{.title = content.shown_name(name),
              .x_label = "",
              .y_label = "",
              .x_kind = Axis::Kind::linear,
              .y_ticks = false};
  const auto found = content.priors.find(name);
  const Support support = found != content.priors.end() ? support_of(found->second) : Support{};
  std::vector<ChartPoint> posterior = density_curve(output_draws(content.bundle, column), support);
  if (posterior.empty()) return {};
  ChartCurve prior{"prior", {}, true, false};
  if (found != content.priors.end()) {
    prior.points = interpolated(found->second.value, found->second.density, posterior);
  }
  const DrawSummary& draws = content.outputs[column].draws;
  chart.description = fmt::format("Median {}, 90 % from {} to {}.", shown_number(draws.median),
                                  shown_number(draws.q5), shown_number(draws.q95));
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

struct CorrelatedPair {
  std::size_t first, second;
  double value;
};

constexpr double kNegligible = 0.1;  // size of a correlation that is not mentioned

// The strongest ones first.
std::vector<CorrelatedPair> correlated_pairs(const std::vector<std::vector<double>>& correlations) {
  std::vector<CorrelatedPair> pairs;
  for (std::size_t i = 0; i < correlations.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (std::abs(correlations[i][j]) >= kNegligible) pairs.push_back({j, i, correlations[i][j]});
    }
  }
  std::ranges::stable_sort(pairs, std::greater<>(),
                           [](const CorrelatedPair& pair) { return std::abs(pair.value); });
  return pairs;
}

// The strongest ones as a sentence, and all in a table.
std::string correlations_in_words(const std::vector<std::string>& names,
                                  const std::vector<CorrelatedPair>& pairs) {
  constexpr std::size_t kMentioned = 5;
  if (pairs.empty())
    return fmt::format("<p>No correlation is above {} in size.</p>\n", kNegligible);
  std::string words;
  for (std::size_t i = 0; i < std::min(pairs.size(), kMentioned); ++i) {
    const auto& [first, second, value] = pairs[i];
    words += fmt::format("{}{} and {} ({:.2f})", words.empty() ? "" : ", ",
                         escaped_markup(names[first]), escaped_markup(names[second]), value);
  }
  return fmt::format("<p>The strongest: {}.</p>\n", words);
}

std::string correlations_table(const std::vector<std::string>& names,
                               const std::vector<CorrelatedPair>& pairs) {
  if (pairs.empty()) return {};
  std::string out = fmt::format(
      "<details><summary>Correlations in numbers ({})</summary>\n<div class=\"wide tall\" "
      "tabindex=\"0\" role=\"region\" aria-label=\"Correlations in numbers\"><table>\n"
      "<caption>Pairs with a correlation of at least {} in size</caption>\n<thead><tr>"
      "<th scope=\"col\">of</th><th scope=\"col\">and</th><th scope=\"col\">correlation</th>"
      "</tr></thead>\n<tbody>\n",
      pairs.size(), kNegligible);
  for (const auto& [first, second, value] : pairs) {
    out += fmt::format("<tr><td>{}</td><td>{}</td><td>{:.2f}</td></tr>\n",
                       escaped_markup(names[first]), escaped_markup(names[second]), value);
  }
  return out + "</tbody></table></div></details>\n";
}

// Draws for the scatter plot of the script: no letter of it can end the element.
std::string draws_for_script(const std::vector<std::string>& names,
                             const std::vector<std::vector<double>>& columns) {
  nlohmann::ordered_json lists = nlohmann::ordered_json::array();
  for (const std::vector<double>& column : columns) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    const std::size_t stride = (column.size() + kMostPoints - 1) / kMostPoints;
    for (std::size_t i = 0; i < column.size(); i += stride) {
      list.push_back(std::isfinite(column[i]) ? nlohmann::ordered_json(rounded_number(column[i], 4))
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
    "<figure><svg id=\"scatter\" class=\"chart\" viewBox=\"0 0 396 290\" width=\"396\" "
    "height=\"290\" role=\"img\" aria-label=\"Scatter plot of draws\"></svg></figure>\n</div>\n";

}  // namespace

PageSection densities_section(const ReportContent& content) {
  PageSection section{"densities", "Posterior and prior", ""};
  const std::size_t shown = std::min(kMostPictures, content.outputs.size());
  section.body = fmt::format(
      "<p>Shaded: the posterior{}. Dashed: the prior, if it can be computed. A dashed line near "
      "the "
      "bottom belongs to a prior that is much wider than the posterior. If both look alike, the "
      "result says little about the parameter.{}</p>\n",
      content.bundle.stamp.is_private ? ", with model and privacy uncertainty" : "",
      shown < content.outputs.size()
          ? fmt::format(" Shown are the first {} of {}.", shown, content.outputs.size())
          : "");
  if (shown > 1) {
    section.body +=
        "<div id=\"chooser\" class=\"finder\" hidden><label for=\"choose\">Show</label> "
        "<select id=\"choose\"></select></div>\n";
  }
  section.body += "<div class=\"cards\" id=\"cards\">\n";
  std::string missing;
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string picture = density_picture(content, i);
    section.body += picture;
    if (picture.empty()) {
      missing += (missing.empty() ? "" : ", ") +
                 escaped_markup(content.shown_name(content.outputs[i].name));
    }
  }
  section.body += "</div>\n";
  if (!missing.empty()) {
    section.body += fmt::format(
        "<p>Without a density, because draws are equal or not finite: {}.</p>\n", missing);
  }
  return section;
}

std::optional<PageSection> correlations_section(const ReportContent& content) {
  const std::size_t shown = std::min(kMostPairs, content.outputs.size());
  if (shown < 2 || content.bundle.draws.draws.size() < 3) return std::nullopt;
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns, correlations(shown, std::vector<double>(shown, 1.0));
  for (std::size_t i = 0; i < shown; ++i) {
    names.push_back(content.shown_name(content.outputs[i].name));
    columns.push_back(output_draws(content.bundle, i));
  }
  for (std::size_t i = 0; i < shown; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      correlations[i][j] = correlations[j][i] = correlation(columns[i], columns[j]);
    }
  }
  PageSection section{"correlations", "Correlations", ""};
  section.body = fmt::format(
      "<p>Correlations of the draws{}: blue if positive, orange if negative. Parameters that are "
      "strongly correlated are known better together than alone.</p>\n",
      shown < content.outputs.size() ? fmt::format(", of the first {} numbers", shown) : "");
  const std::vector<CorrelatedPair> pairs = correlated_pairs(correlations);
  section.body += correlations_in_words(names, pairs);
  section.body += figure_with(
      svg_correlations("Correlations of the draws", names, correlations, SvgUse::in_page), "");
  section.body += correlations_table(names, pairs);
  section.body += kPairs + draws_for_script(names, columns);
  return section;
}

}  // namespace dpvi
