#include <dpvi/report/page/plan_explorer.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include <dpvi/base/error.hpp>
#include <dpvi/privacy/adjacency_names.hpp>
#include <dpvi/report/assets/assets.hpp>
#include <dpvi/report/chart/svg_chart.hpp>
#include <dpvi/report/number_text.hpp>
#include <dpvi/report/page/belief.hpp>
#include <dpvi/report/page/page_frame.hpp>

namespace dpvi {
namespace {

constexpr double kNear = 1e-3;  // relative distance of values that count as one
constexpr double kNoPlan = std::numeric_limits<double>::quiet_NaN();

// Inserts a value and returns its place. A value that is nearly there replaces that one.
template <class Value>
std::size_t insert_sorted(std::vector<Value>& values, Value value) {
  const auto as_number = [](Value entry) { return static_cast<double>(entry); };
  std::size_t place = 0;
  while (place < values.size() && as_number(values[place]) * (1.0 + kNear) < as_number(value)) {
    ++place;
  }
  if (place < values.size() && as_number(values[place]) * (1.0 - kNear) <= as_number(value)) {
    values[place] = value;
  } else {
    values.insert(values.begin() + static_cast<std::ptrdiff_t>(place), value);
  }
  return place;
}

double noise_for(const PrivacyPlan& plan, double epsilon, std::int64_t steps) {
  PrivacyRequest request;
  request.epsilon = epsilon;
  request.delta = plan.delta;
  request.steps = steps;
  request.sampling_rate = plan.run[0].sampling_rate;
  request.adjacency = plan.adjacency;
  request.accountants = {plan.solver};
  try {
    return plan_privacy(request).run[0].noise_multiplier;
  } catch (const UsageError&) {
    return kNoPlan;
  }
}

// Noise of a sum over all rows after all steps, in clip bounds. Divided by the number of rows it is
// the noise of a mean.
double summed_noise(const ExplorerGrid& grid, std::size_t steps, std::size_t epsilon) {
  const double averaged = std::sqrt(static_cast<double>(grid.steps[steps]));
  return grid.noise_multiplier[steps][epsilon] / (grid.sampling_rate * averaged);
}

Chart noise_chart(const ExplorerGrid& grid) {
  Chart chart{.title = "Noise multiplier against epsilon",
              .x_label = "epsilon (logarithmic)",
              .y_label = "noise multiplier (logarithmic)",
              .x_kind = Axis::Kind::logarithmic,
              .y_kind = Axis::Kind::logarithmic,
              .description = "One falling line for each number of steps; a table has the numbers.",
              .with_scale = true};
  for (std::size_t t = 0; t < grid.steps.size(); ++t) {
    ChartCurve curve{fmt::format("{} steps", grid.steps[t]), {}};
    for (std::size_t e = 0; e < grid.epsilons.size(); ++e) {
      curve.points.push_back({grid.epsilons[e], grid.noise_multiplier[t][e]});
    }
    chart.curves.push_back(std::move(curve));
  }
  return chart;
}

// Numbers of rows on a logarithmic grid.
std::vector<double> row_counts() {
  std::vector<double> rows;
  for (int k = 0; k <= 20; ++k) rows.push_back(std::pow(10.0, 2.0 + 0.25 * k));
  return rows;
}

Chart rows_chart(const ExplorerGrid& grid) {
  Chart chart{.title = "Noise of a mean against the number of rows",
              .x_label = "rows (logarithmic)",
              .y_label = "in clip bounds (logarithmic)",
              .x_kind = Axis::Kind::logarithmic,
              .y_kind = Axis::Kind::logarithmic,
              .description =
                  "The noise falls faster than the sampling error; a table says with "
                  "how many rows both are equal.",
              .with_scale = true};
  // The first and the last hold those between them, so every plan has its place in the frame.
  for (const double epsilon : {grid.epsilons.front(), 1.0, grid.epsilons.back()}) {
    const auto found = std::ranges::find_if(
        grid.epsilons, [&](double entry) { return std::abs(entry - epsilon) <= kNear * epsilon; });
    if (found == grid.epsilons.end()) continue;
    const auto place = static_cast<std::size_t>(found - grid.epsilons.begin());
    ChartCurve curve{
        fmt::format("privacy noise, epsilon {}", rounded_up(epsilon)), {}, false, false};
    for (const double rows : row_counts()) {
      curve.points.push_back({rows, summed_noise(grid, grid.chosen_steps, place) / rows});
    }
    chart.curves.push_back(std::move(curve));
  }
  ChartCurve sampling{"sampling error", {}, true, false};
  for (const double rows : row_counts()) sampling.points.push_back({rows, 1.0 / std::sqrt(rows)});
  chart.curves.push_back(std::move(sampling));
  return chart;
}

std::string grid_table(const ExplorerGrid& grid) {
  std::string out =
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"All plans\"><table "
      "class=\"numbers\">\n<caption>Noise multipliers by epsilon and steps</caption>\n<thead><tr>"
      "<th scope=\"col\">&epsilon;</th><th scope=\"col\">50&nbsp;% becomes at most</th>"
      "<th scope=\"col\">rows for equal errors</th>";
  for (const std::int64_t steps : grid.steps) {
    out += fmt::format("<th scope=\"col\">{} steps</th>", steps);
  }
  out += "</tr></thead>\n<tbody>\n";
  for (std::size_t e = 0; e < grid.epsilons.size(); ++e) {
    const double noise = summed_noise(grid, grid.chosen_steps, e);
    out += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td>",
                       rounded_up(grid.epsilons[e]),
                       changed_percentage(highest_belief(grid.epsilons[e], 0.5), 0.5),
                       shown_number(std::ceil(noise * noise)));
    for (std::size_t t = 0; t < grid.steps.size(); ++t) {
      out += fmt::format("<td>{}</td>", shown_number(grid.noise_multiplier[t][e]));
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string numbers_for_script(const ExplorerGrid& grid) {
  nlohmann::ordered_json noise = nlohmann::ordered_json::array();
  for (const std::vector<double>& row : grid.noise_multiplier) noise.push_back(row);
  const nlohmann::ordered_json document = {{"epsilons", grid.epsilons},
                                           {"steps", grid.steps},
                                           {"noise", noise},
                                           {"rate", grid.sampling_rate},
                                           {"epsilon", grid.chosen_epsilon},
                                           {"step", grid.chosen_steps}};
  return fmt::format("<script type=\"application/json\" id=\"grid\">{}</script>\n",
                     document.dump());
}

constexpr const char* kSliders =
    "<div id=\"explorer\" class=\"finder\" hidden>\n<div class=\"sliders\">\n"
    "<div><label for=\"epsilon\"><span>&epsilon;</span><output id=\"epsilon-now\"></output></label>"
    "<input id=\"epsilon\" type=\"range\" min=\"0\" step=\"1\"></div>\n"
    "<div><label for=\"steps\"><span>steps</span><output id=\"steps-now\"></output></label>"
    "<input id=\"steps\" type=\"range\" min=\"0\" step=\"1\"></div>\n"
    "<div><label for=\"rows\"><span>rows of the table</span><output id=\"rows-now\"></output>"
    "</label><input id=\"rows\" type=\"range\" min=\"4\" max=\"14\" step=\"1\" value=\"8\"></div>\n"
    "<div><label for=\"parameters\"><span>parameters</span><output id=\"parameters-now\"></output>"
    "</label><input id=\"parameters\" type=\"range\" min=\"0\" max=\"8\" step=\"1\" value=\"3\">"
    "</div>\n"
    "</div>\n<p id=\"answer\" role=\"status\"></p>\n</div>\n";

std::string beliefs(const ExplorerGrid& grid) {
  std::string out = "<div class=\"cards\" id=\"beliefs\">\n";
  for (const double epsilon : grid.epsilons) {
    out += figure_with(svg_card(belief_chart(epsilon), SvgUse::in_page), "");
  }
  return out + "</div>\n";
}

std::string head_of(const ExplorerGrid& grid) {
  return fmt::format(
      "<h1>What a privacy budget buys</h1>\n<p class=\"facts\">Sampling rate {}, &delta; {}, "
      "adjacency {}. The plan: &epsilon; {}, {} steps, noise multiplier {}.</p>\n",
      shown_number(grid.sampling_rate), rounded_up(grid.delta), name_of(grid.adjacency),
      rounded_up(grid.epsilons[grid.chosen_epsilon]), grid.steps[grid.chosen_steps],
      shown_number(grid.noise_multiplier[grid.chosen_steps][grid.chosen_epsilon]));
}

}  // namespace

ExplorerGrid explorer_grid(const PrivacyPlan& plan) {
  ExplorerGrid grid{.delta = plan.delta,
                    .sampling_rate = plan.run[0].sampling_rate,
                    .adjacency = plan.adjacency,
                    .epsilons = {0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0},
                    .steps = {10, 100, 1000, 10000},
                    .noise_multiplier = {}};
  grid.chosen_epsilon = insert_sorted(grid.epsilons, plan.epsilon);
  grid.chosen_steps = insert_sorted(grid.steps, plan.run[0].steps);
  for (std::size_t t = 0; t < grid.steps.size(); ++t) {
    grid.noise_multiplier.emplace_back();
    for (std::size_t e = 0; e < grid.epsilons.size(); ++e) {
      const bool plan_itself = t == grid.chosen_steps && e == grid.chosen_epsilon;
      grid.noise_multiplier.back().push_back(
          plan_itself ? plan.run[0].noise_multiplier
                      : noise_for(plan, grid.epsilons[e], grid.steps[t]));
    }
  }
  return grid;
}

std::string explorer_html(const ExplorerGrid& grid) {
  Page page{.title = "dpvi plan: what a privacy budget buys",
            .head = head_of(grid),
            .sections = {},
            .script = explorer_script()};
  page.sections = {
      {"beliefs-section", "Epsilon",
       "<p>The smaller &epsilon; is, the less a result can change what anybody believes about one "
       "record. The shaded area holds every belief that is possible after seeing the result.</p>\n"
       "<div class=\"side\">\n" +
           std::string(kSliders) + beliefs(grid) + "</div>\n" + numbers_for_script(grid)},
      {"noise", "Noise and steps",
       "<p>More steps need more noise in each. Because the noise is averaged over the steps, their "
       "number hardly changes how exact the result is.</p>\n"
       "<div id=\"noise-chart\">" +
           figure_with(svg_chart(noise_chart(grid), SvgUse::in_page), "") + "</div>\n"},
      {"rows-section", "Rows",
       fmt::format(
           "<p>The noise does not grow with the table, so its effect on a mean falls as the number "
           "of rows grows, and faster than the sampling error of a value as large as the clip "
           "bound. Where the lines cross, both are equal. Drawn for {} steps; with scripts, the "
           "thin line "
           "and the ring are the plan chosen above.</p>\n",
           grid.steps[grid.chosen_steps]) +
           "<div id=\"rows-chart\">" +
           figure_with(svg_chart(rows_chart(grid), SvgUse::in_page), "") + "</div>\n"},
      {"table", "All numbers",
       grid_table(grid) +
           "<p>Rows for equal errors: with this many rows, the privacy noise of a mean equals its "
           "sampling error, for one value as large as the clip bound. With several "
           "parameters of equal size, multiply by their number. <code>dpvi fit --dry-run</code> "
           "forecasts the noise of a model.</p>\n"}};
  return page_html(page);
}

}  // namespace dpvi
