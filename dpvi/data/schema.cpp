#include <dpvi/data/schema.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <dpvi/base/nearest_name.hpp>
#include <dpvi/data/text_file.hpp>
#include <dpvi/data/toml_shape.hpp>

namespace dpvi {
namespace {

// One table of the file, with its dotted name for messages ("columns.age").
struct Section {
  const toml::table& table;
  std::string name;
  const std::string& file;
  const LevelFiles* level_files = nullptr;  // the only ones that may be used, if given
  bool may_quote = true;                    // the file is certainly a schema

  SourcePlace place_of(const toml::node& node) const {
    const toml::source_position at = node.source().begin;
    return {file, static_cast<int>(at.line), static_cast<int>(at.column)};
  }

  std::string full_name(std::string_view key) const {
    return name.empty() ? std::string(key) : fmt::format("{}.{}", name, key);
  }
};

std::string text_of(const toml::node& node) {
  std::ostringstream out;
  node.visit([&](const auto& value) { out << value; });
  std::string text = out.str();
  constexpr std::size_t kLongest = 60;
  return text.size() <= kLongest ? text : text.substr(0, kLongest) + "...";
}

[[noreturn]] void refuse(const Section& section, std::string_view key, const std::string& rule,
                         const std::string& hint) {
  const toml::node& node = *section.table.get(key);
  throw InputError(kSchemaValue,
                   fmt::format("{} is {}; {}", section.full_name(key), text_of(node), rule), hint,
                   section.place_of(node));
}

void refuse_unknown_keys(const Section& section, const std::vector<std::string>& known) {
  for (const auto& [key, node] : section.table) {
    const std::string name(key.str());
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const auto at = key.source().begin;
    const std::optional<std::string> near = nearest_name(name, known);
    const std::string what = near || section.may_quote
                                 ? fmt::format("unknown key {}.", section.full_name(name))
                                 : "unknown key; no key of the file belongs to a schema.";
    throw InputError(kUnknownSchemaKey, what,
                     near ? fmt::format("Did you mean '{}'?", *near)
                          : fmt::format("Known keys: {}.", fmt::join(known, ", ")),
                     {section.file, static_cast<int>(at.line), static_cast<int>(at.column)});
  }
}

std::optional<Section> subsection(const Section& parent, std::string_view key) {
  const toml::node* node = parent.table.get(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_table()) {
    const std::string hint = fmt::format("Write [{}].", parent.full_name(key));
    if (!node->is_array()) refuse(parent, key, "it must be a table.", hint);
    throw InputError(kSchemaValue,
                     fmt::format("{} is a list; it must be a table.", parent.full_name(key)), hint,
                     parent.place_of(*node));
  }
  return Section{*node->as_table(), parent.full_name(key), parent.file, parent.level_files};
}

std::optional<double> read_number(const Section& section, std::string_view key) {
  const toml::node* node = section.table.get(key);
  if (node == nullptr) return std::nullopt;
  const std::optional<double> value =
      node->is_number() ? node->value<double>() : std::optional<double>();
  if (!value || !std::isfinite(*value)) {
    refuse(section, key, "it must be a finite number.", fmt::format("Write {} = 0.", key));
  }
  return value;
}

bool read_flag(const Section& section, std::string_view key) {
  const toml::node* node = section.table.get(key);
  if (node == nullptr) return false;
  if (!node->is_boolean()) {
    refuse(section, key, "it must be true or false.", fmt::format("Write {} = true.", key));
  }
  return **node->as_boolean();
}

std::optional<std::string> read_text(const Section& section, std::string_view key) {
  const toml::node* node = section.table.get(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_string() || node->as_string()->get().empty()) {
    refuse(section, key, "it must be a string.", fmt::format("Write {} = \"...\".", key));
  }
  return node->as_string()->get();
}

std::optional<std::vector<std::string>> read_texts(const Section& section, std::string_view key) {
  const toml::node* node = section.table.get(key);
  if (node == nullptr) return std::nullopt;
  const toml::array* list = node->as_array();
  std::vector<std::string> texts;
  if (list != nullptr) {
    for (const toml::node& entry : *list) {
      if (entry.is_string()) texts.push_back(entry.as_string()->get());
    }
  }
  if (list == nullptr || texts.size() != list->size()) {
    refuse(section, key, "it must be a list of strings.",
           fmt::format("Write {} = [\"a\", \"b\"], numbers in quotes too.", key));
  }
  return texts;
}

template <typename Choice>
std::optional<Choice> read_choice(const Section& section, std::string_view key,
                                  const std::vector<std::pair<std::string, Choice>>& choices) {
  if (section.table.get(key) == nullptr) return std::nullopt;
  const std::string text = section.table.get(key)->value_or(std::string());
  std::vector<std::string> names;
  for (const auto& [name, choice] : choices) {
    if (text == name) return choice;
    names.push_back(name);
  }
  const std::optional<std::string> near = nearest_name(text, names);
  refuse(section, key, fmt::format("it must be one of {}.", fmt::join(names, ", ")),
         fmt::format("Write {} = \"{}\".", key, near.value_or(names.front())));
}

void refuse_repeated_or_empty(const Section& section, std::string_view key,
                              const std::vector<std::string>& levels) {
  if (levels.empty()) refuse(section, key, "a category needs at least one level.", "List them.");
  std::set<std::string> seen;
  for (const std::string& level : levels) {
    if (!seen.insert(level).second) {
      refuse(section, key, fmt::format("the level '{}' is listed twice.", level), "Remove one.");
    }
  }
}

[[noreturn]] void refuse_level_line(const std::string& file, std::size_t line,
                                    const std::string& what, const std::string& hint) {
  throw InputError(kSchemaValue, what, hint, {file, static_cast<int>(line), 0});
}

// Levels become public with the result. A file that may be the private table is refused, and
// messages quote nothing from it.
void check_level_file(const std::vector<std::string>& levels, const std::string& file) {
  std::map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const std::string& level = levels[i];
    if (level.empty()) {
      refuse_level_line(file, i + 1, "a level is empty; there is one level per line.",
                        "Remove the empty line.");
    }
    if (level.find('\0') != std::string::npos) {
      refuse_level_line(file, i + 1, "the line contains a NUL byte; this is not a file of levels.",
                        "Write one level per line, as text.");
    }
    const auto [known, added] = seen.emplace(level, i + 1);
    if (!added) {
      refuse_level_line(file, i + 1,
                        fmt::format("this line repeats the level of line {}.", known->second),
                        "Remove one.");
    }
  }
  const auto cells = [](const std::string& level, char separator) {
    return std::count(level.begin(), level.end(), separator);
  };
  for (const auto& [separator, fewest] : {std::pair{',', 2}, {';', 1}, {'\t', 1}, {'|', 1}}) {
    const auto alike = [&](const std::string& level) {
      return cells(level, separator) == cells(levels.front(), separator);
    };
    if (levels.size() < 2 || cells(levels.front(), separator) < fewest) continue;
    if (!std::all_of(levels.begin(), levels.end(), alike)) continue;
    refuse_level_line(file, 0,
                      "every line has the same number of cells: this looks like a table, not like "
                      "a file of levels.",
                      "Write one level per line; levels become public with the result.");
  }
}

std::vector<std::string> read_level_file(const Section& section, const std::string& name) {
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

[[noreturn]] void contradict(const ColumnSchema& column, const std::string& what,
                             const std::string& hint) {
  throw InputError(kSchemaContradiction, fmt::format("columns.{}: {}", column.name, what), hint,
                   column.place);
}

void read_levels(const Section& section, ColumnSchema& column) {
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

void read_if_missing(const Section& section, ColumnSchema& column) {
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
  if (!node->is_number()) {
    refuse(section, "if_missing", "it must be \"drop\" or a number.",
           "Write if_missing = \"drop\".");
  }
  column.value_if_missing = read_number(section, "if_missing");
  const double value = *column.value_if_missing;
  if ((column.lower && value < *column.lower) || (column.upper && value > *column.upper)) {
    refuse(section, "if_missing", "it must lie between lower and upper.", "Change one of them.");
  }
}

void check_column(const Section& section, const ColumnSchema& column) {
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
  for (const char* key : {"levels", "levels_file", "coding"}) {
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

ColumnSchema read_column(const Section& section, const std::string& name) {
  refuse_unknown_keys(section, {"type", "lower", "upper", "mean", "sd", "standardise", "if_missing",
                                "levels", "levels_file", "coding", "public_levels"});
  ColumnSchema column;
  column.name = name;
  column.place = section.place_of(section.table);
  column.type = read_choice<ColumnType>(section, "type",
                                        {{"real", ColumnType::real},
                                         {"int", ColumnType::integer},
                                         {"category", ColumnType::category}});
  column.lower = read_number(section, "lower");
  column.upper = read_number(section, "upper");
  column.mean = read_number(section, "mean");
  column.sd = read_number(section, "sd");
  column.standardise = read_flag(section, "standardise");
  column.public_levels = read_flag(section, "public_levels");
  column.coding = read_choice<Coding>(
      section, "coding",
      {{"index", Coding::index}, {"dummy", Coding::dummy}, {"one-hot", Coding::one_hot}});
  read_levels(section, column);
  check_column(section, column);
  read_if_missing(section, column);
  return column;
}

std::optional<DeclaredUnit> read_unit(const Section& section) {
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

void read_table_section(const Section& section, Schema& schema) {
  refuse_unknown_keys(section,
                      {"rows", "missing", "unit", "max_rows_per_unit", "one_row_per_person"});
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

void read_model_section(const Section& section, Schema& schema) {
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

void read_public_section(const Section& section, Schema& schema) {
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

void read_study_section(const Section& section, Schema& schema) {
  std::vector<std::string> keys;
  for (const StudyField& field : kStudyFields) keys.emplace_back(field.key);
  refuse_unknown_keys(section, keys);
  for (const StudyField& field : kStudyFields) {
    schema.study.*field.value = read_text(section, field.key).value_or("");
  }
}

const std::vector<std::string> kSections = {"table", "columns", "model", "public", "study"};

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
    throw InputError(
        kBadSchema,
        schema ? fmt::format("not TOML: {}.", error.description())
               : "not TOML, and no line is the heading of a schema's section.",
        schema ? "Correct the line."
               : "A schema has sections [table], [columns.NAME], [model], [public], [study]. "
                 "The file is not shown because it may hold records.",
        {file, static_cast<int>(at.line), static_cast<int>(at.column)});
  }
}

Schema parse_sections(std::string_view text, const std::string& file, const LevelFiles* known) {
  const toml::table parsed = parse_toml(text, file);
  const Section root{parsed, "", file, known, has_toml_key(text, kSections)};
  refuse_unknown_keys(root, kSections);
  Schema schema;
  schema.file = file;
  if (const auto section = subsection(root, "table")) read_table_section(*section, schema);
  if (const auto columns = subsection(root, "columns")) {
    for (const auto& [key, node] : columns->table) {
      const std::string name(key.str());
      schema.columns.push_back(read_column(*subsection(*columns, name), name));
    }
  }
  refuse_levels_that_mean_missing(schema);
  if (const auto section = subsection(root, "model")) read_model_section(*section, schema);
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
