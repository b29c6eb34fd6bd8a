#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <dpvi/report/chart/svg_chart.hpp>
#include <dpvi/report/chart/svg_forest.hpp>
#include <dpvi/report/column_names.hpp>
#include <dpvi/report/markup.hpp>
#include <dpvi/report/number_text.hpp>
#include <dpvi/report/page/report_sections.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kMostPaths = 12;
constexpr std::size_t kMostForecasts = 40;
// A forecast that is this many times too small is the rounding error of 0: records do not touch the
// parameter, and mock records say nothing about it.
constexpr double kRoundingError = 1e6;
constexpr double kReachOf90 = 1.645;  // of a Gaussian, in standard deviations

// Up to `most` of the places, those with the largest keys, in order. NaN counts as largest; places
// without a key count as equal.
std::vector<std::size_t> most_telling(std::vector<std::size_t> places,
                                      const std::vector<double>& keys, std::size_t most) {
  if (places.size() <= most) return places;
  const auto key = [&](std::size_t i) {
    if (i >= keys.size()) return 0.0;
    return std::isnan(keys[i]) ? INFINITY : keys[i];
  };
  std::ranges::stable_sort(places, [&](std::size_t a, std::size_t b) { return key(a) > key(b); });
  places.resize(most);
  std::ranges::sort(places);
  return places;
}

double total_steps(const ReportContent& content) {
  double steps = 0.0;
  for (const ReportPhase& phase : content.statement.phases) steps += phase.steps;
  return steps > 0.0 ? steps : content.path->steps.back();
}

bool is_measured(const ReportContent& content) { return content.run.posterior == "trace"; }

Chart path_chart(const ReportContent& content, std::size_t parameter, std::size_t column) {
  const Posterior& posterior = content.bundle.posterior;
  const ReportPath& path = *content.path;
  Chart chart{.title = content.coordinate_name(posterior.unconstrained_names[parameter]),
              .x_label = is_measured(content) ? "release" : "step",
              .y_label = "",
              .x_kind = Axis::Kind::linear};
  ChartCurve curve{is_measured(content) ? "estimate" : "iterate", {}, false, false};
  for (std::size_t k = 0; k < path.steps.size(); ++k) {
    curve.points.push_back({path.steps[k], path.locations[k][column]});
  }
  chart.curves = {std::move(curve)};
  const double result = posterior.total.family->location(posterior.total.parameters)[parameter];
  const double reach = kReachOf90 * posterior.total.family->standard_deviations(
                                        posterior.total.parameters)[parameter];
  chart.levels = {{"result", result}};
  if (is_measured(content) && std::isfinite(reach)) {
    const double first = path.steps.front(), last = path.steps.back();
    chart.bands = {
        {"90 % interval",
         {{first, result - reach, result + reach}, {last, result - reach, result + reach}},
         "model area"}};
  }
  const auto share = content.run.averaged_share;
  if (!is_measured(content) && share && *share > 0.0 && *share <= 1.0) {
    const double steps = total_steps(content);
    chart.windows = {{"averaged", steps * (1.0 - *share), steps}};
  }
  chart.description =
      fmt::format("Ends at {}; the result is {}.", shown_number(path.locations.back()[column]),
                  shown_number(result));
  return chart;
}

std::string course_words(const ReportContent& content, std::size_t shown) {
  const std::size_t size = content.bundle.posterior.unconstrained_names.size();
  if (is_measured(content)) {
    return "<p>Every release was a measurement: the first of the information in the records, the "
           "others of their summed gradients. The curves are the points at which gradients were "
           "released, on the unconstrained scale. Each point is the estimate from all releases "
           "before it. They should come to rest in or near the shaded band, which holds 90&nbsp;% "
           "of "
           "the posterior. The result is inferred from all releases at once, so it may lie beside "
           "the last point. Nothing is averaged, because all measurements count.</p>\n";
  }
  return fmt::format(
      "<p>Released iterates of {} on the unconstrained scale. The result is their average over the "
      "shaded window. Inside it they should scatter around one level; a slope means that the fit "
      "had not arrived.</p>\n",
      shown < size
          ? fmt::format(
                "{} parameters (of {}), those with the largest R-hat{}", shown, size,
                content.path->parameters.size() < size
                    ? fmt::format(" among {} that were stored", content.path->parameters.size())
                    : "")
          : "all parameters");
}

double largest(const std::vector<double>& values) {
  double result = std::nan("");
  for (const double value : values) result = std::fmax(result, value);
  return result;
}

double smallest(const std::vector<double>& values) {
  double result = std::nan("");
  for (const double value : values) result = std::fmin(result, value);
  return result;
}

// Diagnostics of the run in numbers, with what they should be.
std::string diagnostics_table(const ReportContent& content) {
  const Posterior& posterior = content.bundle.posterior;
  std::string rows;
  const auto add = [&](const char* name, const std::string& value, const char* wanted) {
    rows += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td></tr>\n", name, value,
                        wanted);
  };
  if (posterior.records) {
    add("usable records, as measured",
        fmt::format("{:.0f} &plusmn; {:.0f}", *posterior.records, posterior.records_sd),
        "about the number of rows");
  }
  if (content.residuals) {
    add("residuals of the measurements, mean square",
        fmt::format("{} of {:.0f}", shown_number(content.residuals->mean_square),
                    content.residuals->count),
        "about 1");
  }
  if (content.bundle.draws.chains > 0) {
    double r_hat = std::nan(""), size = std::nan("");
    for (const OutputSummary& output : content.outputs) {
      r_hat = std::fmax(r_hat, output.chains.r_hat);
      size = std::fmin(size, output.chains.ess_bulk);
    }
    add("largest R-hat of the chains", shown_number(r_hat), "at most 1.01");
    add("smallest effective sample size of the chains", fmt::format("{:.0f}", size),
        "at least 400");
    if (posterior.divergences) {
      add("divergences", fmt::format("{:.0f}", *posterior.divergences), "0");
    }
  } else if (!posterior.r_hat.empty()) {
    add("largest R-hat of the iterates", shown_number(largest(posterior.r_hat)), "near 1");
    add("smallest effective sample size of the iterates",
        shown_number(std::round(smallest(posterior.effective_sample_size))), "tens or more");
  }
  if (rows.empty()) return {};
  return "<table>\n<caption>Diagnostics</caption>\n<thead><tr><th scope=\"col\">of</th>"
         "<th scope=\"col\">value</th><th scope=\"col\">wanted</th></tr></thead>\n<tbody>\n" +
         rows + "</tbody></table>\n";
}

std::string forecast_table(const std::vector<DumbbellRow>& rows) {
  std::string out =
      "<details><summary>Forecast and outcome in numbers</summary>\n<div class=\"wide\" "
      "tabindex=\"0\" role=\"region\" aria-label=\"Forecast and outcome in numbers\"><table "
      "class=\"figures\">\n<thead><tr><th scope=\"col\">name</th><th scope=\"col\">forecast</th>"
      "<th scope=\"col\">in this fit</th><th scope=\"col\">ratio</th></tr></thead>\n<tbody>\n";
  for (const auto& [name, forecast, obtained] : rows) {
    out += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                       escaped_markup(name), shown_number(forecast), shown_number(obtained),
                       number_text(obtained / forecast, 3));
  }
  return out + "</tbody></table></div></details>\n";
}

// Compares both in a sentence or two, and warns if there was typically far more noise.
std::string forecast_words(std::vector<double> ratios, const std::optional<FitVerdict>& verdict) {
  constexpr double kFar = 2.0;
  std::erase_if(ratios, [](double ratio) { return !std::isfinite(ratio); });
  if (ratios.empty()) return {};
  if (verdict && verdict->status == FitStatus::failed) {
    return "<p>The fit failed, so that its own numbers say little about the noise.</p>\n";
  }
  std::ranges::sort(ratios);
  const double typical = ratios[ratios.size() / 2];
  std::string out =
      fmt::format("The noise was typically {} times the forecast", number_text(typical, 2));
  if (ratios.size() == 1) {
    out = fmt::format("The noise was {} times the forecast.", number_text(typical, 2));
  } else {
    out += fmt::format(", and for single parameters {} to {} times.",
                       number_text(ratios.front(), 2), number_text(ratios.back(), 2));
  }
  if (typical < 1.0 / kFar) {
    return fmt::format("<p>{} The forecast was too cautious for this model and table.</p>\n", out);
  }
  if (typical <= kFar) {
    return fmt::format(
        "<p>{} Both are estimates: for single parameters a factor of two is common.</p>\n", out);
  }
  return fmt::format(
      "<p class=\"note\">{} The declared facts or the number of rows do not describe the table "
      "well; facts such as the mean and the sd of a column make the next fit better.</p>\n",
      out);
}

// Stored parameters that have a course. A fit by measurements has none for a parameter that is not
// a coordinate of its releases; its entries are zero.
std::vector<std::size_t> parameters_with_course(const ReportContent& content) {
  std::vector<std::size_t> result;
  const ReportPath& path = *content.path;
  for (std::size_t column = 0; column < path.parameters.size(); ++column) {
    const bool moved = std::ranges::any_of(
        path.locations, [&](const std::vector<double>& row) { return row[column] != 0.0; });
    if (moved || !is_measured(content)) result.push_back(path.parameters[column]);
  }
  return result;
}

}  // namespace

std::optional<PageSection> iterates_section(const ReportContent& content) {
  PageSection section{"iterates", "Course of the fit", ""};
  if (content.path) {
    const std::vector<std::size_t>& stored = content.path->parameters;
    const std::vector<std::size_t> shown =
        most_telling(parameters_with_course(content), content.bundle.posterior.r_hat, kMostPaths);
    section.body += course_words(content, shown.size()) + "<div class=\"cards\">\n";
    for (const std::size_t parameter : shown) {
      const auto column =
          static_cast<std::size_t>(std::ranges::find(stored, parameter) - stored.begin());
      section.body +=
          figure_with(svg_card(path_chart(content, parameter, column), SvgUse::in_page), "");
    }
    section.body += "</div>\n";
  }
  section.body += diagnostics_table(content);
  return section.body.empty() ? std::nullopt : std::optional(std::move(section));
}

std::optional<PageSection> forecast_section(const ReportContent& content) {
  if (!content.forecast) return std::nullopt;
  const auto& [forecast, obtained] = *content.forecast;
  const std::vector<std::string>& names = content.bundle.posterior.unconstrained_names;
  std::vector<double> ratios, distances;
  std::vector<std::size_t> places;
  std::vector<std::string> unknown;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double ratio = obtained[i] / forecast[i];
    distances.push_back(std::abs(std::log(ratio)));
    if (ratio > kRoundingError) {
      unknown.push_back(content.coordinate_name(names[i]));
    } else {
      places.push_back(i);
      ratios.push_back(ratio);
    }
  }
  std::vector<DumbbellRow> rows;
  for (const std::size_t i : most_telling(places, distances, kMostForecasts)) {
    rows.push_back({content.coordinate_name(names[i]), forecast[i], obtained[i]});
  }
  PageSection section{"forecast", "Noise: forecast and outcome", ""};
  section.body =
      "<p>Before the table was opened, mock records forecast how much the privacy noise would move "
      "each unconstrained parameter. Beside it stands what the releases of the fit say.</p>\n" +
      forecast_words(ratios, content.bundle.posterior.verdict);
  if (!rows.empty()) {
    section.body +=
        figure_with(svg_dumbbells({"Standard deviation due to privacy",
                                   "standard deviation (logarithmic)", "forecast", "in this fit"},
                                  rows, SvgUse::in_page),
                    rows.size() < places.size()
                        ? fmt::format("The {} of {} parameters with the largest differences.",
                                      rows.size(), places.size())
                        : "") +
        forecast_table(rows);
  }
  if (!unknown.empty()) {
    section.body += "<p>Without a forecast, because records do not touch them directly:</p>\n" +
                    bullet_list(unknown);
  }
  return section;
}

}  // namespace dpvi
