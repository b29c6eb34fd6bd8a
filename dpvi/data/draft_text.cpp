#include <dpvi/data/draft_text.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dpvi {

std::string toml_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char byte : text) {
    if (byte == '"' || byte == '\\') {
      quoted += '\\';
      quoted += byte;
    } else if (static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f) {
      quoted += fmt::format("\\u{:04X}", byte);
    } else {
      quoted += byte;
    }
  }
  return quoted + '"';
}

std::string toml_key(std::string_view name) {
  const bool bare = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
  return bare ? std::string(name) : toml_text(name);
}

std::string toml_texts(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) quoted.push_back(toml_text(text));
  return fmt::format("[{}]", fmt::join(quoted, ", "));
}

void DraftText::line(std::string_view text) {
  toml += text;
  toml += '\n';
}

void DraftText::entry(const std::string& assignment, std::string_view meaning) {
  line(fmt::format("{:<27} # {}", assignment, meaning));
}

void DraftText::to_fill_in(const std::string& section, const std::string& key,
                           const std::string& value, const std::string& meaning) {
  missing.push_back(section + "." + key);
  entry(fmt::format("# {} = {}", toml_key(key), value), "FILL IN: " + meaning);
}

void DraftText::add_opening(bool header_read) {
  line("# A schema to complete: what is publicly known about the table.");
  line(header_read ? "# Only the header line of the table was read, and no record."
                   : "# The table was not read.");
  line("# Everything written here becomes public with the result, so write what is known without");
  line("# looking at the records. Complete the lines marked FILL IN and remove the # before them;");
  line("# the other commented lines are optional.");
  line("# 'dpvi check' shows what is still missing; 'dpvi mock' writes a table to try it on.");
}

void DraftText::add_table(const TableFacts& facts) {
  line("\n[table]");
  if (facts.schema.rows) {
    entry(fmt::format("rows = {}", *facts.schema.rows),
          "approximate number of rows, for defaults and the noise forecast; never counted");
  } else {
    to_fill_in("table", "rows", "...",
               "approximate number of rows, for defaults and the noise forecast; never counted");
  }
  add_unit(facts);
  entry(fmt::format("missing = {}", toml_texts(facts.schema.missing)),
        "cell texts that mean missing");
  entry("# decimal_mark = \",\"", "if numbers are written 63,5; thousands_mark = \".\" for 1.234");
  entry("# trim = true", "if blanks around the texts of levels do not count");
}

// If a name looks like an id, one of two lines must be chosen.
void DraftText::add_unit(const TableFacts& facts) {
  if (facts.schema.unit) {
    entry(fmt::format("unit = {}", toml_text(facts.schema.unit->column)),
          "all rows with the same id are one record");
    to_fill_in("table", "max_rows_per_unit", "4",
               "how many rows of each unit are used, the first ones");
    return;
  }
  if (!facts.id) {
    entry("# unit = \"...\"", "if people have several rows: the column that identifies the person");
    entry("# max_rows_per_unit = 4",
          "with unit: how many rows of each unit are used, the first ones");
    return;
  }
  missing.emplace_back("table.unit");
  line(
      fmt::format("# FILL IN: the name of column {} looks like an id. Keep the first two lines if "
                  "a person can",
                  facts.id->place));
  line("# have several rows, else the third.");
  entry(fmt::format("# unit = {}", facts.id->name.empty() ? "\"...\"" : toml_text(facts.id->name)),
        "all rows with the same id are one record");
  entry("# max_rows_per_unit = 4", "how many rows of each unit are used, the first ones");
  entry("# one_row_per_person = true", "no person has two rows");
}

}  // namespace dpvi
