#include <dpvi/data/internal/schema_tables.hpp>

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace dpvi {
namespace {

// A value of `equals`, which cells are compared with as texts.
std::string read_equals(const SchemaSection& where) {
  const toml::node* node = where.table.get("equals");
  if (node != nullptr && node->is_integer()) return fmt::format("{}", **node->as_integer());
  const std::optional<std::string> text = read_text(where, "equals");
  if (text && !text->empty()) return *text;
  refuse(where, "equals", "it must be the text in the rows of this table.",
         "Write equals = \"1\".");
}

CountedTable read_counted_table(const SchemaSection& section, const std::string& count) {
  refuse_unknown_keys(section, {"file", "where"});
  CountedTable table;
  table.count = count;
  table.place = section.place_of(section.table);
  table.file = read_text(section, "file").value_or("");
  const bool chosen = section.table.contains("where");
  if (chosen == !table.file.empty()) {
    throw InputError(kSchemaContradiction,
                     fmt::format("{} needs either file or where.", section.name),
                     "Write file = \"...\", or where = {column = \"event\", equals = \"1\"} for "
                     "rows of one file.",
                     table.place);
  }
  if (!chosen) return table;
  const SchemaSection where = *subsection(section, "where");
  refuse_unknown_keys(where, {"column", "equals"});
  table.column = read_text(where, "column").value_or("");
  if (table.column.empty()) {
    refuse(where, "column", "it must name a column.", "Write column = \"event\".");
  }
  table.equals = read_equals(where);
  return table;
}

[[noreturn]] void contradict_tables(const CountedTable& table, const std::string& what,
                                    const std::string& hint) {
  throw InputError(kSchemaContradiction, fmt::format("tables.{}: {}", table.count, what), hint,
                   table.place);
}

// Every row of a file belongs to at most one table, by the value of one column.
void refuse_overlap(const Schema& schema) {
  const CountedTable& first = schema.tables.front();
  for (const CountedTable& table : schema.tables) {
    if (table.file.empty() != first.file.empty()) {
      contradict_tables(table, "some tables have a file and others have where.",
                        "Give each table a file, or each rows of one file.");
    }
    if (table.column != first.column) {
      contradict_tables(
          table,
          fmt::format("its rows are chosen by another column than those of {}.", first.count),
          "One column must tell the tables apart, so that no row is in two.");
    }
    for (const CountedTable& other : schema.tables) {
      if (&other == &table || table.file != other.file || table.equals != other.equals) continue;
      contradict_tables(table, fmt::format("{} has the same rows.", other.count),
                        "A row belongs to one table: give each rows of its own.");
    }
  }
}

// The column that tells tables apart is compared as text, and serves nothing else.
void check_column(const Schema& schema) {
  const CountedTable& first = schema.tables.front();
  const ColumnSchema* column = schema.find_column(first.column);
  if (first.column.empty() || column == nullptr) return;
  for (const CountedTable& table : schema.tables) {
    const bool listed = std::ranges::count(column->levels, table.equals) > 0;
    if (!column->levels.empty() && !listed) {
      contradict_tables(table,
                        fmt::format("'{}' is no level of column '{}'.", table.equals, table.column),
                        "Use a level, or correct the levels.");
    }
  }
  if (column->cells.synonyms.empty() && !column->value_if_missing) return;
  contradict_tables(first,
                    fmt::format("column '{}' has synonyms or if_missing, but tells tables apart by "
                                "its texts.",
                                first.column),
                    "Remove them.");
}

}  // namespace

void read_tables_section(const SchemaSection& section, Schema& schema) {
  for (const auto& [key, node] : section.table) {
    const std::string count(key.str());
    schema.tables.push_back(read_counted_table(*subsection(section, count), count));
  }
  std::ranges::sort(schema.tables, [](const CountedTable& a, const CountedTable& b) {
    return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
  });
  if (schema.tables.empty()) return;
  if (schema.tables.size() == 1) {
    contradict_tables(schema.tables.front(), "it is the only table.",
                      "One table needs no section: name its record count by [model] records.");
  }
  if (!schema.records.empty()) {
    contradict_tables(schema.tables.front(), "[model] records names a record count too.",
                      "Remove records: each table is named after its record count.");
  }
  refuse_overlap(schema);
  check_column(schema);
}

}  // namespace dpvi
