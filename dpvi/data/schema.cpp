#include <dpvi/data/schema.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <dpvi/base/nearest_name.hpp>
#include <dpvi/data/internal/level_file.hpp>
#include <dpvi/data/internal/schema_cells.hpp>
#include <dpvi/data/internal/schema_section.hpp>
#include <dpvi/data/internal/schema_tables.hpp>
#include <dpvi/data/text_file.hpp>
#include <dpvi/data/toml_shape.hpp>

namespace dpvi {
namespace {

void refuse_repeated_or_empty(const SchemaSection& section, std::string_view key,
                              const std::vector<std::string>& levels) {
  if (levels.empty()) refuse(section, key, "a category needs at least one level.", "List them.");
  std::set<std::string> seen;
  for (const std::string& level : levels) {
    if (!seen.insert(level).second) {
      refuse(section, key, fmt::format("the level '{}' is listed twice.", level), "Remove one.");
    }
  }
}

std::vector<std::string> read_level_file(const SchemaSection& section, const std::string& name) {
  if (section.level_files != nullptr) {
    const auto known = section.level_files->find(name);
    if (known != section.level_files->end()) return known->second;
    refuse(section, "levels_file", "a bundle lists the levels itself; no other file is read.",
           "Use the bundle as the fit wrote it.");
  }
  const std::filesystem::path beside = std::filesystem::path(section.file).parent_path() / name;
  std::vector<std::string> levels = read_lines(beside.string());
  check_level_file(levels, beside.string());
  return levels;
}

void read_levels(const SchemaSection& section, ColumnSchema& column) {
  const std::optional<std::string> file = read_text(section, "levels_file");
  const std::optional<std::vector<std::string>> listed = read_texts(section, "levels");
  if (file && listed)
    contradict(column, "levels and levels_file are both given.", "Keep one of the two.");
  if (!file && !listed) return;
  column.levels = file ? read_level_file(section, *file) : *listed;
  column.levels_file = file.value_or("");
  refuse_repeated_or_empty(section, file ? "levels_file" : "levels", column.levels);
  if (!column.type) column.type = ColumnType::category;
}

// How frequent the levels are is a public fact like any other: roughly right is enough.
void read_shares(const SchemaSection& section, ColumnSchema& column) {
  const toml::node* node = section.table.get("shares");
  if (node == nullptr) return;
  if (column.levels.empty()) {
    contradict(column, "shares are those of levels, which are not given.",
               "Write levels = [\"...\", \"...\"] or remove shares.");
  }
  const toml::array* list = node->as_array();
  double sum = 0.0;
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const auto share = (*list)[i].value<double>();
    if (!share || !(*share > 0.0)) break;
    column.shares.push_back(*share);
    sum += *share;
  }
  const std::size_t count = column.levels.size();
  if (list == nullptr || list->size() != count || column.shares.size() != count) {
    refuse(section, "shares",
           fmt::format("it must be a list of {} positive numbers, one for each level.", count),
           "Write for example shares = [0.7, 0.3] for two levels.");
  }
  constexpr double kRounding = 0.02;
  if (!(std::abs(sum - 1.0) <= kRounding)) {
    refuse(section, "shares",
           fmt::format("the shares add up to {:.4g}; they must add up to 1.", sum),
           "Divide them by their sum.");
  }
  for (double& share : column.shares) share /= sum;
}

void read_if_missing(const SchemaSection& section, ColumnSchema& column) {
  const toml::node* node = section.table.get("if_missing");
  if (node == nullptr) return;
  const std::string text = node->value_or(std::string());
  if (text == "drop") return;
  if (column.type == ColumnType::category) {
    const auto level = std::find(column.levels.begin(), column.levels.end(), text);
    if (!node->is_string() || level == column.levels.end()) {
      refuse(section, "if_missing", "it must be \"drop\" or one of the levels.",
             "Write if_missing = \"drop\".");
    }
    column.value_if_missing = static_cast<double>(level - column.levels.begin() + 1);
    return;
  }
  if (!node->is_number() && !column.cells.date) {
    refuse(section, "if_missing", "it must be \"drop\" or a number.",
           "Write if_missing = \"drop\".");
  }
  column.value_if_missing = column.cells.date ? read_day(section, "if_missing", *column.cells.date)
                                              : read_number(section, "if_missing");
  const double value = *column.value_if_missing;
  if ((column.lower && value < *column.lower) || (column.upper && value > *column.upper)) {
    refuse(section, "if_missing", "it must lie between lower and upper.", "Change one of them.");
  }
}

void check_column(const SchemaSection& section, const ColumnSchema& column) {
  if (column.lower && column.upper && *column.lower > *column.upper) {
    refuse(section, "lower", fmt::format("it must not exceed upper, which is {}.", *column.upper),
           "Swap them.");
  }
  if (column.sd && *column.sd <= 0) {
    refuse(section, "sd", "it must be greater than 0.", "Write sd = 1.");
  }
  if (column.standardise && !(column.mean && column.sd)) {
    contradict(column, "standardise needs mean and sd; they are never computed from the data.",
               "Write mean = ... and sd = ... with public values.");
  }
  const bool category = column.type == ColumnType::category;
  for (const char* key : {"lower", "upper", "mean", "sd", "standardise"}) {
    if (category && section.table.contains(key)) {
      contradict(column, fmt::format("{} does not apply to a category.", key), "Remove it.");
    }
  }
  for (const char* key : {"levels", "levels_file", "shares", "coding"}) {
    if (!category && section.table.contains(key)) {
      contradict(column, fmt::format("{} applies to categories only.", key),
                 "Write type = \"category\".");
    }
  }
  if (category && column.levels.empty()) {
    contradict(column, "a category needs its levels; they are never read from the data.",
               "Write levels = [\"...\", \"...\"] or levels_file = \"...\".");
  }
  if (column.type != ColumnType::integer) return;
  for (const char* key : {"lower", "upper", "if_missing"}) {
    const toml::node* node = section.table.get(key);
    if (node != nullptr && node->is_floating_point()) {
      refuse(section, key, "it must be an integer because the column is one.",
             "Remove the fraction.");
    }
  }
}

ColumnSchema read_column(const SchemaSection& section, const std::string& name,
                         const CellFormat& table_cells) {
  refuse_unknown_keys(section, {"type", "lower", "upper", "mean", "sd", "standardise", "if_missing",
                                "levels", "levels_file", "shares", "coding", "synonyms",
                                "date_format", "since", "public_levels"});
  ColumnSchema column;
  column.name = name;
  column.place = section.place_of(section.table);
  column.cells = table_cells;
  column.cells.date = read_date_format(section);
  column.type = read_column_type(section);
  const auto read_fact = [&](std::string_view key) {
    return column.cells.date ? read_day(section, key, *column.cells.date)
                             : read_number(section, key);
  };
  column.lower = read_fact("lower");
  column.upper = read_fact("upper");
  column.mean = read_fact("mean");
  column.sd = read_number(section, "sd");
  column.standardise = read_flag(section, "standardise");
  column.public_levels = read_flag(section, "public_levels");
  column.coding = read_choice<Coding>(
      section, "coding",
      {{"index", Coding::index}, {"dummy", Coding::dummy}, {"one-hot", Coding::one_hot}});
  read_levels(section, column);
  read_shares(section, column);
  column.cells.synonyms = read_synonyms(section, column);
  check_column(section, column);
  read_if_missing(section, column);
  return column;
}

std::optional<DeclaredUnit> read_unit(const SchemaSection& section) {
  const std::optional<std::string> column = read_text(section, "unit");
  const toml::node* most = section.table.get("max_rows_per_unit");
  if (column.has_value() != (most != nullptr)) {
    const char* given = column ? "unit" : "max_rows_per_unit";
    const char* wanted = column ? "max_rows_per_unit" : "unit";
    throw InputError(
        kSchemaContradiction, fmt::format("table.{} needs table.{} beside it.", given, wanted),
        column
            ? "Write max_rows_per_unit = 4, or another limit; the first rows of each unit are used."
            : "Write unit = \"...\" with the column that identifies the unit.",
        section.place_of(*section.table.get(given)));
  }
  if (!column) return std::nullopt;
  constexpr std::int64_t kMaxRows = std::numeric_limits<std::int32_t>::max();
  if (!most->is_integer() || **most->as_integer() < 1 || **most->as_integer() > kMaxRows) {
    refuse(section, "max_rows_per_unit", "it must be a whole number of at least 1.",
           "Write how many rows of one unit are used.");
  }
  return DeclaredUnit{*column, static_cast<std::uint32_t>(**most->as_integer()),
                      section.place_of(*section.table.get("unit"))};
}

void read_table_section(const SchemaSection& section, Schema& schema) {
  refuse_unknown_keys(section, {"rows", "missing", "unit", "max_rows_per_unit",
                                "one_row_per_person", "decimal_mark", "thousands_mark", "trim"});
  schema.cells = read_cell_format(section);
  if (const toml::node* rows = section.table.get("rows")) {
    if (!rows->is_integer() || **rows->as_integer() < 1) {
      refuse(section, "rows", "it must be a whole number of at least 1.",
             "Write the approximate number of rows.");
    }
    schema.rows = **rows->as_integer();
  }
  schema.unit = read_unit(section);
  schema.one_row_per_person = read_flag(section, "one_row_per_person");
  if (schema.unit && schema.one_row_per_person) {
    throw InputError(kSchemaContradiction,
                     "table.unit and table.one_row_per_person contradict each other.",
                     "Keep unit if a person can have several rows, else the other.",
                     section.place_of(*section.table.get("one_row_per_person")));
  }
  if (const auto missing = read_texts(section, "missing")) schema.missing = *missing;
}

void refuse_levels_that_mean_missing(const Schema& schema) {
  for (const ColumnSchema& column : schema.columns) {
    for (const std::string& level : column.levels) {
      if (std::find(schema.missing.begin(), schema.missing.end(), level) == schema.missing.end()) {
        continue;
      }
      contradict(column, fmt::format("the level '{}' also means missing.", level),
                 "Remove the level, or write [table] missing without it.");
    }
  }
}

void read_model_section(const SchemaSection& section, Schema& schema) {
  schema.records = read_text(section, "records").value_or("");
  for (const auto& [key, node] : section.table) {
    const std::string name(key.str());
    if (name == "records") continue;
    DeclaredBinding binding;
    binding.place = section.place_of(node);
    if (node.is_string()) {
      binding.columns = {*read_text(section, name)};
    } else {
      binding.columns = *read_texts(section, name);
    }
    schema.bindings.emplace(name, std::move(binding));
  }
}

// Appends the numbers below `node`, which is at nesting depth `depth`.
void flatten(const toml::node& node, std::size_t depth, PublicValue& value, bool& well_formed) {
  if (const toml::array* list = node.as_array()) {
    if (value.dimensions.size() == depth && value.numbers.empty()) {
      value.dimensions.push_back(list->size());
    }
    well_formed =
        well_formed && depth < value.dimensions.size() && value.dimensions[depth] == list->size();
    for (const toml::node& entry : *list) flatten(entry, depth + 1, value, well_formed);
    return;
  }
  well_formed = well_formed && node.is_number() && depth == value.dimensions.size();
  value.integers = value.integers && node.is_integer();
  value.numbers.push_back(node.value<double>().value_or(0));
}

void read_public_section(const SchemaSection& section, Schema& schema) {
  for (const auto& [key, node] : section.table) {
    PublicValue value;
    value.integers = true;
    value.source = "[public] in " + section.file;
    value.place = section.place_of(node);
    bool well_formed = true;
    flatten(node, 0, value, well_formed);
    if (!well_formed) {
      refuse(section, key.str(), "it must be a number or lists of numbers of equal lengths.",
             fmt::format("Write {0} = 3 or {0} = [1, 2].", key.str()));
    }
    schema.public_values.emplace(std::string(key.str()), std::move(value));
  }
}

void read_study_section(const SchemaSection& section, Schema& schema) {
  std::vector<std::string> keys;
  for (const StudyField& field : kStudyFields) keys.emplace_back(field.key);
  refuse_unknown_keys(section, keys);
  for (const StudyField& field : kStudyFields) {
    schema.study.*field.value = read_text(section, field.key).value_or("");
  }
}

const std::vector<std::string> kSections = {"table", "tables", "columns",
                                            "model", "public", "study"};

// The parser's message quotes the text, so it is shown only if the file is recognisably a schema.
toml::table parse_toml(std::string_view text, const std::string& file) {
  if (const auto line = line_of_deep_key(text)) {
    throw InputError(kBadSchema, "a key has more than 64 parts.", "Write keys as 'a.b = value'.",
                     {file, *line, 0});
  }
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    const bool schema = has_toml_key(text, kSections);
    throw InputError(kBadSchema,
                     schema ? fmt::format("not TOML: {}.", error.description())
                            : "not TOML, and no line is the heading of a schema's section.",
                     schema ? "Correct the line."
                            : "A schema has sections [table], [tables.COUNT], [columns.NAME], "
                              "[model], [public], [study]. "
                              "The file is not shown because it may hold records.",
                     {file, static_cast<int>(at.line), static_cast<int>(at.column)});
  }
}

Schema parse_sections(std::string_view text, const std::string& file, const LevelFiles* known) {
  const toml::table parsed = parse_toml(text, file);
  const SchemaSection root{parsed, "", file, known, has_toml_key(text, kSections)};
  refuse_unknown_keys(root, kSections);
  Schema schema;
  schema.file = file;
  if (const auto section = subsection(root, "table")) read_table_section(*section, schema);
  if (const auto columns = subsection(root, "columns")) {
    for (const auto& [key, node] : columns->table) {
      const std::string name(key.str());
      schema.columns.push_back(read_column(*subsection(*columns, name), name, schema.cells));
    }
  }
  refuse_levels_that_mean_missing(schema);
  if (const auto section = subsection(root, "model")) read_model_section(*section, schema);
  if (const auto section = subsection(root, "tables")) read_tables_section(*section, schema);
  if (const auto section = subsection(root, "public")) read_public_section(*section, schema);
  if (const auto section = subsection(root, "study")) read_study_section(*section, schema);
  return schema;
}

}  // namespace

const ColumnSchema* Schema::find_column(std::string_view name) const {
  const auto named = [&](const ColumnSchema& column) { return column.name == name; };
  const auto found = std::find_if(columns.begin(), columns.end(), named);
  return found == columns.end() ? nullptr : &*found;
}

Schema parse_schema(std::string_view text, const std::string& file) {
  return parse_sections(text, file, nullptr);
}

Schema parse_foreign_schema(std::string_view text, const std::string& file,
                            const LevelFiles& known) {
  return parse_sections(text, file, &known);
}

Schema read_schema(const std::string& path) { return parse_schema(read_whole_file(path), path); }

}  // namespace dpvi
