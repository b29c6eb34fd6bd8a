#include "inspect_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "json.hpp"

namespace dpvi::cli {
namespace {

constexpr const char* kNotForRelease =
    "NOT FOR RELEASE: computed from the records without protection, for their curator alone.";

const char* name_of(ColumnType type) {
  switch (type) {
    case ColumnType::real:
      return "real";
    case ColumnType::integer:
      return "int";
    case ColumnType::category:
      break;
  }
  return "category";
}

using Cell = std::string;
using Row = std::vector<Cell>;

std::string number(double value) { return std::isnan(value) ? "-" : fmt::format("{:.5g}", value); }

std::string count(std::uint64_t value) { return value == 0 ? "-" : fmt::format("{}", value); }

Row row_of(const ColumnInspection& column) {
  return {column.name,
          name_of(column.type),
          fmt::format("{}", column.usable),
          count(column.clamped),
          count(column.missing),
          count(column.unlisted),
          count(column.unparsable),
          count(column.out_of_range),
          count(column.replaced),
          number(column.minimum),
          number(column.mean),
          number(column.sd),
          number(column.maximum)};
}

std::string table_text(const TableInspection& found) {
  std::vector<Row> rows = {{"column", "type", "usable", "clamped", "missing", "unlisted",
                            "unparsable", "range", "replaced", "minimum", "mean", "sd", "maximum"}};
  for (const ColumnInspection& column : found.columns) rows.push_back(row_of(column));
  std::vector<std::size_t> widths(rows[0].size(), 0);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  const auto out = std::back_inserter(text);
  for (const Row& row : rows) {
    fmt::format_to(out, "{:<{}}  {:<{}}", row[0], widths[0], row[1], widths[1]);
    for (std::size_t i = 2; i < row.size(); ++i) fmt::format_to(out, "  {:>{}}", row[i], widths[i]);
    text += '\n';
  }
  return text;
}

// Replaces control bytes that a terminal would interpret.
std::string printable(std::string text) {
  const auto is_control = [](unsigned char byte) { return byte < 0x20 || byte == 0x7f; };
  std::replace_if(text.begin(), text.end(), is_control, '?');
  return text;
}

std::string levels_text(const BoundColumn& bound, const ColumnInspection& column) {
  std::vector<std::string> listed, unlisted;
  for (std::size_t i = 0; i < column.level_counts.size(); ++i) {
    listed.push_back(fmt::format("{} {}", bound.levels[i], column.level_counts[i]));
  }
  std::string text = fmt::format("{}: {}\n", column.name, fmt::join(listed, ", "));
  std::uint64_t shown = 0;
  for (const auto& [level, times] : column.unlisted_levels) {
    unlisted.push_back(fmt::format("'{}' {}", printable(level), times));
    shown += times;
  }
  if (shown < column.unlisted)
    unlisted.push_back(fmt::format("others {}", column.unlisted - shown));
  if (!unlisted.empty()) text += fmt::format("  not listed: {}\n", fmt::join(unlisted, ", "));
  return text;
}

std::string unit_text(const UnitInspection& unit) {
  return fmt::format(
      "{} units by {}. Left out: {} rows without an id and {} rows beyond the first {} of their "
      "unit.\n"
      "Cells are counted in the remaining rows.\n\n",
      unit.units, unit.column, unit.rows_without_id, unit.rows_beyond_limit, unit.max_rows);
}

Json unit_json(const UnitInspection& unit) {
  return {{"column", unit.column},
          {"max_rows_per_unit", unit.max_rows},
          {"units", unit.units},
          {"rows_without_id", unit.rows_without_id},
          {"rows_beyond_limit", unit.rows_beyond_limit}};
}

Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json column_json(const BoundColumn& bound, const ColumnInspection& column) {
  Json made = {{"name", column.name},
               {"type", name_of(column.type)},
               {"usable", column.usable},
               {"clamped", column.clamped},
               {"missing", column.missing},
               {"unlisted", column.unlisted},
               {"unparsable", column.unparsable},
               {"out_of_range", column.out_of_range},
               {"replaced", column.replaced},
               {"minimum", number_json(column.minimum)},
               {"mean", number_json(column.mean)},
               {"sd", number_json(column.sd)},
               {"maximum", number_json(column.maximum)}};
  if (column.type != ColumnType::category) return made;
  made["levels"] = Json::object();
  for (std::size_t i = 0; i < column.level_counts.size(); ++i) {
    made["levels"][bound.levels[i]] = column.level_counts[i];
  }
  made["unlisted_levels"] = Json::object();
  for (const auto& [level, times] : column.unlisted_levels) made["unlisted_levels"][level] = times;
  return made;
}

}  // namespace

std::string inspection_text(const std::string& file, const InspectedTable& table) {
  const TableInspection& found = table.found;
  std::string text = fmt::format("{}\n\n{}: {} rows, {} of them contribute nothing to a fit\n\n",
                                 kNotForRelease, file, found.rows, found.rows_of_zero);
  if (found.unit) text += unit_text(*found.unit);
  text += table_text(found);
  for (std::size_t i = 0; i < found.columns.size(); ++i) {
    if (found.columns[i].type != ColumnType::category) continue;
    text += "\n" + levels_text(table.binding.columns[i], found.columns[i]);
  }
  return text +
         "\nA row contributes nothing if a cell is missing or an unlisted level and has no\n"
         "replacement, if a cell cannot be parsed, or if it is out of range: an integer beyond\n"
         "its bounds or with a fraction, or an infinite real. Minimum, mean, sd and maximum\n"
         "describe the numbers as written, before clamping.\n";
}

std::string inspection_json(const std::string& file, const InspectedTable& table) {
  Json document = {{"ok", true},
                   {"release", kNotForRelease},
                   {"data", file},
                   {"rows", table.found.rows},
                   {"rows_of_zero", table.found.rows_of_zero},
                   {"unit", table.found.unit ? unit_json(*table.found.unit) : Json()},
                   {"columns", Json::array()}};
  for (std::size_t i = 0; i < table.found.columns.size(); ++i) {
    document["columns"].push_back(column_json(table.binding.columns[i], table.found.columns[i]));
  }
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace dpvi::cli
