#include <dpvi/data/internal/schema_cells.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include <dpvi/data/number_parser.hpp>

namespace dpvi {
namespace {

// The text of a date, given as a TOML date or as a text.
std::optional<std::string> written_date(const toml::node& node) {
  if (const auto* date = node.as_date()) {
    return fmt::format("{:04}-{:02}-{:02}", date->get().year, date->get().month, date->get().day);
  }
  return node.value<std::string>();
}

// Days since 1970-01-01.
double read_date(const SchemaSection& section, std::string_view key, std::string_view pattern) {
  const std::optional<std::string> text = written_date(*section.table.get(key));
  std::optional<double> days;
  if (text) days = parse_date(*text, pattern);
  if (text && !days) days = parse_date(*text, kIsoDatePattern);
  if (!days) {
    refuse(section, key, "it must be a date.", fmt::format("Write {} = \"2020-01-31\".", key));
  }
  return *days;
}

}  // namespace

CellFormat read_cell_format(const SchemaSection& table) {
  CellFormat format;
  if (const auto mark = read_text(table, "decimal_mark")) {
    if (*mark != "." && *mark != ",") {
      refuse(table, "decimal_mark", "it must be \".\" or \",\".", "Write decimal_mark = \",\".");
    }
    format.decimal_mark = mark->front();
  }
  if (const auto mark = read_text(table, "thousands_mark")) {
    const auto refuse_mark = [&](const std::string& rule) {
      refuse(
          table, "thousands_mark", rule,
          "Write the mark between groups of three digits, such as \",\", \".\", \" \" or \"'\".");
    };
    constexpr std::size_t kLongest = 4;  // one character of UTF-8
    const bool part_of_number = std::ranges::any_of(
        *mark, [](unsigned char c) { return std::isalnum(c) != 0 || c == '+' || c == '-'; });
    if (part_of_number || mark->size() > kLongest) refuse_mark("it must be a single mark.");
    if (mark->find(format.decimal_mark) != std::string::npos) {
      refuse_mark("it must differ from the decimal mark.");
    }
    format.thousands_mark = *mark;
  }
  format.trim = read_flag(table, "trim");
  return format;
}

std::optional<ColumnType> read_column_type(const SchemaSection& column) {
  return read_choice<ColumnType>(column, "type",
                                 {{"real", ColumnType::real},
                                  {"int", ColumnType::integer},
                                  {"category", ColumnType::category},
                                  {"date", ColumnType::real}});
}

std::optional<DateFormat> read_date_format(const SchemaSection& column) {
  const toml::node* type = column.table.get("type");
  if (type == nullptr || type->value_or(std::string()) != "date") {
    for (const char* key : {"date_format", "since"}) {
      if (!column.table.contains(key)) continue;
      refuse(column, key, "it applies to dates only.", "Write type = \"date\", or remove it.");
    }
    return std::nullopt;
  }
  DateFormat format;
  if (const auto pattern = read_text(column, "date_format")) {
    if (!is_date_pattern(*pattern)) {
      refuse(column, "date_format", "it must have YYYY, MM and DD once each.",
             "Write date_format = \"DD.MM.YYYY\".");
    }
    format.pattern = *pattern;
  }
  if (column.table.contains("since")) {
    format.origin =
        static_cast<std::int64_t>(std::floor(read_date(column, "since", format.pattern)));
  }
  return format;
}

std::optional<double> read_day(const SchemaSection& column, std::string_view key,
                               const DateFormat& format) {
  const toml::node* node = column.table.get(key);
  if (node == nullptr || node->is_number()) return read_number(column, key);
  return read_date(column, key, format.pattern) - static_cast<double>(format.origin);
}

std::map<std::string, double, std::less<>> read_synonyms(const SchemaSection& section,
                                                         const ColumnSchema& column) {
  std::map<std::string, double, std::less<>> synonyms;
  const std::optional<SchemaSection> listed = subsection(section, "synonyms");
  if (!listed) return synonyms;
  const bool category = column.type == ColumnType::category;
  for (const auto& [key, node] : listed->table) {
    const std::string text(key.str());
    const auto level = std::ranges::find(column.levels, node.value_or(std::string()));
    if (category && level == column.levels.end()) {
      refuse(*listed, text, "it must be one of the levels.",
             "Write synonyms = {\"f\" = \"female\"}.");
    }
    if (category && std::ranges::find(column.levels, text) != column.levels.end()) {
      refuse(*listed, text, "the text is a level itself.", "Remove it.");
    }
    if (!category && !node.is_number()) {
      refuse(*listed, text, "it must be a number.", "Write synonyms = {\"<5\" = 2}.");
    }
    const std::string trimmed(without_blanks(text));
    synonyms[category ? text : trimmed] =
        category ? static_cast<double>(level - column.levels.begin() + 1)
                 : *read_number(*listed, text);
  }
  return synonyms;
}

}  // namespace dpvi
