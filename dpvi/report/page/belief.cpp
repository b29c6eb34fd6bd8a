#include <dpvi/report/page/belief.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <dpvi/report/number_text.hpp>

namespace dpvi {

double highest_belief(double epsilon, double before) {
  return before / (before + (1.0 - before) * std::exp(-epsilon));
}

double lowest_belief(double epsilon, double before) { return highest_belief(-epsilon, before); }

std::string percentage(double probability) {
  constexpr double kShown = 0.0005;
  if (probability > 1.0 - kShown) return "above 99.95 %";
  if (probability < kShown) return "below 0.05 %";
  return fmt::format("{:.3g} %", 100.0 * probability);
}

std::string changed_percentage(double after, double before) {
  constexpr int kMostFigures = 9;
  std::string text = percentage(after);
  for (int figures = 4; text == percentage(before) && figures <= kMostFigures; ++figures) {
    text = fmt::format("{:.{}g} %", 100.0 * after, figures);
  }
  return text;
}

Chart belief_chart(double epsilon) {
  constexpr int kPoints = 80;
  Chart chart{.title = fmt::format("Belief before and after, ε = {}", rounded_up(epsilon)),
              .x_label = "belief before seeing the result (%)",
              .y_label = "belief after (%)",
              .x_kind = Axis::Kind::linear,
              .y_range = std::pair{0.0, 100.0}};
  ChartBand band{"every possible belief after", {}};
  for (int k = 0; k <= kPoints; ++k) {
    const double before = static_cast<double>(k) / kPoints;
    band.edges.push_back({100.0 * before, 100.0 * lowest_belief(epsilon, before),
                          100.0 * highest_belief(epsilon, before)});
  }
  chart.bands = {std::move(band)};
  chart.curves = {{"nothing learned", {{0.0, 0.0}, {100.0, 100.0}}, true, false}};
  const double low = lowest_belief(epsilon, 0.5), high = highest_belief(epsilon, 0.5);
  const std::string least = changed_percentage(low, 0.5), most = changed_percentage(high, 0.5);
  chart.spans = {{50.0, 100.0 * low, 100.0 * high, least, most}};
  chart.description =
      fmt::format("A belief of 50 % becomes at most {} and at least {}; a table has more examples.",
                  most, least);
  return chart;
}

std::string belief_table(double epsilon) {
  std::string out =
      "<table>\n<caption>What somebody who sees the result can come to believe about one record"
      "</caption>\n<thead><tr><th scope=\"col\">sure before</th><th scope=\"col\">at least, after"
      "</th><th scope=\"col\">at most, after</th></tr></thead>\n<tbody>\n";
  for (const double before : {0.01, 0.1, 0.5, 0.9}) {
    out += fmt::format("<tr><th scope=\"row\">{:g} %</th><td>{}</td><td>{}</td></tr>\n",
                       100.0 * before, changed_percentage(lowest_belief(epsilon, before), before),
                       changed_percentage(highest_belief(epsilon, before), before));
  }
  return out + "</tbody></table>\n";
}

}  // namespace dpvi
