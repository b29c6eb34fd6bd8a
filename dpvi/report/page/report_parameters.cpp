#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <dpvi/report/chart/svg_chart.hpp>
#include <dpvi/report/chart/svg_forest.hpp>
#include <dpvi/report/markup.hpp>
#include <dpvi/report/page/report_sections.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kLongestForest = 60;

// Outputs shown together: one array, or all numbers that stand alone.
struct OutputGroup {
  std::string name;  // empty for numbers that stand alone
  std::vector<const OutputSummary*> rows;
};

std::vector<OutputGroup> groups_of(const std::vector<OutputSummary>& outputs) {
  std::vector<OutputGroup> groups = {{"", {}}};
  for (const OutputSummary& output : outputs) {
    const std::size_t bracket = output.name.find('[');
    const std::string name = bracket == std::string::npos ? "" : output.name.substr(0, bracket);
    auto group = name.empty() ? groups.begin() : groups.end() - 1;
    if (group->name != name) group = groups.insert(groups.end(), {name, {}});
    group->rows.push_back(&output);
  }
  std::erase_if(groups, [](const OutputGroup& group) { return group.rows.empty(); });
  return groups;
}

// NaN if a part is unknown.
double model_share(const OutputSummary& output) {
  const double total = std::hypot(output.sd_model, output.sd_privacy);
  return output.sd_model / total;
}

double magnitude(const OutputSummary& output) {
  return std::max(std::abs(output.draws.q5), std::abs(output.draws.q95));
}

// Splits rows whose numbers differ too much in size to be read on one axis. The order is kept.
std::vector<std::vector<const OutputSummary*>> by_size(
    const std::vector<const OutputSummary*>& rows) {
  constexpr double kReadable = 15.0;
  std::vector<double> sizes;
  for (const OutputSummary* row : rows) {
    if (const double size = magnitude(*row); std::isfinite(size) && size > 0.0) {
      sizes.push_back(size);
    }
  }
  std::ranges::sort(sizes);
  std::vector<double> limits;  // sizes above which a new part begins
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    if (sizes[i] > kReadable * sizes[i - 1]) limits.push_back(sizes[i - 1]);
  }
  std::vector<std::vector<const OutputSummary*>> parts(limits.size() + 1);
  for (const OutputSummary* row : rows) {
    const double size = magnitude(*row);
    const auto part = std::ranges::count_if(limits, [&](double limit) { return size > limit; });
    parts[static_cast<std::size_t>(part)].push_back(row);
  }
  std::erase_if(parts, [](const auto& part) { return part.empty(); });
  return parts;
}

std::string forests(const OutputGroup& group) {
  std::string out;
  for (const std::vector<const OutputSummary*>& part : by_size(group.rows)) {
    std::vector<ForestRow> rows;
    for (const OutputSummary* output : part) {
      rows.push_back({output->name, output->draws.q5, output->draws.median, output->draws.q95,
                      model_share(*output)});
    }
    const std::string title =
        group.name.empty() ? "Intervals of 90 %" : "Intervals of 90 %: " + group.name;
    out += figure_with(svg_forest(title, rows, SvgUse::in_page), "");
  }
  return out;
}

// All intervals of a long array as one band over the position.
std::string band_picture(const OutputGroup& group) {
  Chart chart{.title = "Intervals of 90 %: " + group.name,
              .x_label = fmt::format("position in {}", shortened(group.name, 30)),
              .y_label = "",
              .x_kind = Axis::Kind::linear};
  ChartBand total{"total, 90 %", {}, "privacy"}, model{"model alone", {}, "model"};
  ChartCurve median{"median", {}, false, false};
  for (std::size_t i = 0; i < group.rows.size(); ++i) {
    const DrawSummary& draws = group.rows[i]->draws;
    const double x = static_cast<double>(i + 1), share = model_share(*group.rows[i]);
    total.edges.push_back({x, draws.q5, draws.q95});
    model.edges.push_back({x, draws.median + share * (draws.q5 - draws.median),
                           draws.median + share * (draws.q95 - draws.median)});
    median.points.push_back({x, draws.median});
  }
  chart.bands = {std::move(total), std::move(model)};
  chart.curves = {std::move(median)};
  return figure_with(svg_chart(chart, SvgUse::in_page), "");
}

std::string table_head(std::string_view label, std::size_t count, bool open) {
  std::string out = fmt::format(
      "<details{0}><summary>{1} ({2})</summary>\n<div class=\"wide\" tabindex=\"0\" "
      "role=\"region\" aria-label=\"{1}\"><table class=\"numbers\">\n<thead><tr>"
      "<th scope=\"col\">name</th>",
      open ? " open" : "", escaped_markup(label), count);
  for (const char* name : {"mean", "sd", "5 %", "median", "95 %", "sd model", "sd privacy"}) {
    out += fmt::format("<th scope=\"col\">{}</th>", name);
  }
  return out + "</tr></thead>\n<tbody>\n";
}

std::string table_row(const OutputSummary& output) {
  const auto& [name, draws, sd_model, sd_privacy, chains] = output;
  std::string out = fmt::format("<tr><th scope=\"row\">{}</th>", escaped_markup(name));
  for (const double value :
       {draws.mean, draws.sd, draws.q5, draws.median, draws.q95, sd_model, sd_privacy}) {
    out += fmt::format("<td>{}</td>", shown_number(value));
  }
  return out + "</tr>\n";
}

// A long array has several tables, which open quickly.
std::string tables_of(const OutputGroup& group) {
  constexpr std::size_t kLongestTable = 500;
  const std::size_t size = group.rows.size();
  std::string out;
  for (std::size_t first = 0; first < size; first += kLongestTable) {
    const std::size_t end = std::min(first + kLongestTable, size);
    std::string label =
        group.name.empty() ? "Numbers of single parameters" : "Numbers of " + group.name;
    if (size > kLongestTable) {
      label =
          fmt::format("Numbers from {} to {}", group.rows[first]->name, group.rows[end - 1]->name);
    }
    out += table_head(label, end - first, size <= kLongestForest);
    for (std::size_t i = first; i < end; ++i) out += table_row(*group.rows[i]);
    out += "</tbody></table></div></details>\n";
  }
  return out;
}

// Filled in by the script.
constexpr const char* kFinder =
    "<div id=\"finder\" class=\"finder\" hidden>\n<label for=\"find\">Find a parameter</label>\n"
    "<input id=\"find\" type=\"search\" autocomplete=\"off\" spellcheck=\"false\">\n"
    "<p id=\"found\" role=\"status\"></p>\n<div id=\"matches\"></div>\n</div>\n";

}  // namespace

PageSection parameters_section(const ReportContent& content) {
  PageSection section{"parameters", "Parameters", ""};
  section.body =
      "<p>Each bar holds 90&nbsp;% of the posterior. Its dark part is what the model and the "
      "number "
      "of records leave open; its light part is added by the noise that protects the "
      "records.</p>\n";
  section.body += kFinder;
  for (const OutputGroup& group : groups_of(content.outputs)) {
    if (!group.name.empty()) {
      section.body += fmt::format("<h3>{}</h3>\n", escaped_markup(group.name));
    }
    section.body += group.rows.size() <= kLongestForest ? forests(group) : band_picture(group);
    section.body += tables_of(group);
  }
  return section;
}

}  // namespace dpvi
