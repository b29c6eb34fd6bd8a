#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <dpvi/report/chart/svg_caterpillar.hpp>
#include <dpvi/report/chart/svg_forest.hpp>
#include <dpvi/report/markup.hpp>
#include <dpvi/report/page/report_sections.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kLongestForest = 60;

// Outputs shown together: one array, or all numbers that stand alone.
struct OutputGroup {
  std::string name;  // empty for numbers that stand alone
  bool is_private = true;
  const ReportContent* content = nullptr;
  std::vector<const OutputSummary*> rows;

  std::string label_of(const OutputSummary& output) const {
    return index_label(output.name, content->run.index_names);
  }
};

std::vector<OutputGroup> groups_of(const ReportContent& content) {
  const bool is_private = content.bundle.stamp.is_private;
  std::vector<OutputGroup> groups = {{"", is_private, &content, {}}};
  for (const OutputSummary& output : content.outputs) {
    const std::size_t bracket = output.name.find('[');
    const std::string name = bracket == std::string::npos ? "" : output.name.substr(0, bracket);
    auto group = name.empty() ? groups.begin() : groups.end() - 1;
    if (group->name != name) group = groups.insert(groups.end(), {name, is_private, &content, {}});
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

ForestRow forest_row(const OutputSummary& output, const OutputGroup& group) {
  return {output.name,
          output.draws.q5,
          output.draws.median,
          output.draws.q95,
          group.is_private ? model_share(output) : std::nan(""),
          group.label_of(output)};
}

std::string title_of(const OutputGroup& group) {
  return group.name.empty() ? "Intervals of 90 %" : "Intervals of 90 %: " + group.name;
}

std::string forests(const OutputGroup& group) {
  std::string out;
  for (const std::vector<const OutputSummary*>& part : by_size(group.rows)) {
    std::vector<ForestRow> rows;
    for (const OutputSummary* output : part) rows.push_back(forest_row(*output, group));
    out += figure_with(svg_forest(title_of(group), rows, SvgUse::in_page), "");
  }
  return out;
}

// All intervals of a long array in one picture.
std::string caterpillar_picture(const OutputGroup& group) {
  std::vector<ForestRow> rows;
  for (const OutputSummary* output : group.rows) rows.push_back(forest_row(*output, group));
  const Caterpillar drawn = svg_caterpillar(title_of(group), std::move(rows), SvgUse::in_page);
  std::string caption = fmt::format("{} parameters, sorted by median.", group.rows.size());
  if (drawn.rows_per_bar > 1) {
    caption += fmt::format(" A bar has the typical ends of {} neighbours.", drawn.rows_per_bar);
  }
  if (drawn.cut > 0) {
    caption += fmt::format(" {} reach{} beyond the frame.",
                           drawn.cut == 1 ? "1 bar" : fmt::format("{} bars", drawn.cut),
                           drawn.cut == 1 ? "es" : "");
  }
  return figure_with(drawn.picture, caption);
}

struct TableKind {
  bool open = false;  // shown at once
  bool long_names = false;
  bool with_parts = true;
};

// Without privacy noise the standard deviation has no parts.
std::vector<std::string> columns_of_numbers(bool with_parts) {
  std::vector<std::string> names = {"mean", "sd", "5 %", "median", "95 %"};
  if (with_parts) names.insert(names.end(), {"sd model", "sd privacy"});
  return names;
}

std::string table_head(std::string_view label, std::size_t count, TableKind kind) {
  std::string out = fmt::format(
      "<details{0}><summary>{1} ({2})</summary>\n<div class=\"wide{4}\" tabindex=\"0\" "
      "role=\"region\" aria-label=\"{1}\"><table class=\"numbers{3}\">\n<thead><tr>"
      "<th scope=\"col\">name</th>",
      kind.open ? " open" : "", escaped_markup(label), count, kind.long_names ? " long" : "",
      kind.open ? "" : " tall");
  for (const std::string& name : columns_of_numbers(kind.with_parts)) {
    out += fmt::format("<th scope=\"col\">{}</th>", name);
  }
  return out + "</tr></thead>\n<tbody>\n";
}

std::string table_row(const OutputSummary& output, const std::string& label, bool with_parts) {
  const auto& [name, draws, sd_model, sd_privacy, chains] = output;
  std::string out = fmt::format("<tr><th scope=\"row\">{}", escaped_markup(name));
  if (!label.empty()) out += fmt::format(" <span>{}</span>", escaped_markup(label));
  out += "</th>";
  std::vector<double> numbers = {draws.mean, draws.sd, draws.q5, draws.median, draws.q95};
  if (with_parts) numbers.insert(numbers.end(), {sd_model, sd_privacy});
  for (const double value : numbers) {
    out += fmt::format("<td>{}</td>", shown_number(value));
  }
  return out + "</tr>\n";
}

// A long array has several tables, which open quickly.
std::string tables_of(const OutputGroup& group, bool with_parts) {
  constexpr std::size_t kLongestTable = 500;
  constexpr std::size_t kLongName = 18;
  const std::size_t size = group.rows.size();
  const bool long_names = std::ranges::any_of(group.rows, [&](const OutputSummary* row) {
    return letter_count(row->name) + letter_count(group.label_of(*row)) > kLongName;
  });
  std::string out;
  for (std::size_t first = 0; first < size; first += kLongestTable) {
    const std::size_t end = std::min(first + kLongestTable, size);
    std::string label =
        group.name.empty() ? "Numbers of single parameters" : "Numbers of " + group.name;
    if (size > kLongestTable) {
      label =
          fmt::format("Numbers from {} to {}", group.rows[first]->name, group.rows[end - 1]->name);
    }
    out += table_head(label, end - first, {size <= kLongestForest, long_names, with_parts});
    for (std::size_t i = first; i < end; ++i) {
      out += table_row(*group.rows[i], group.label_of(*group.rows[i]), with_parts);
    }
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
  const auto& verdict = content.bundle.posterior.verdict;
  if (verdict && verdict->status == FitStatus::failed) {
    section.body =
        "<p class=\"alarm\"><strong>The fit failed. These numbers must not be used.</strong></p>\n";
  }
  section.body += "<p>Each bar holds 90&nbsp;% of the posterior.";
  if (content.bundle.stamp.is_private) {
    section.body +=
        " Its inner part, in the strong colour, is what the model and the number of records leave "
        "open. Its outer part, in the pale colour, is added by the noise that protects the "
        "records. The widths on the right show both parts where the bars are short.";
  }
  section.body += "</p>\n";
  section.body += kFinder;
  for (const OutputGroup& group : groups_of(content)) {
    if (!group.name.empty()) {
      section.body += fmt::format("<h3>{}</h3>\n", escaped_markup(group.name));
    }
    section.body +=
        group.rows.size() <= kLongestForest ? forests(group) : caterpillar_picture(group);
    section.body += tables_of(group, content.bundle.stamp.is_private);
  }
  return section;
}

}  // namespace dpvi
