#include <dpvi/data/internal/schema_section.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dpvi {
namespace {

std::string text_of(const toml::node& node) {
  std::ostringstream out;
  node.visit([&](const auto& value) { out << value; });
  std::string text = out.str();
  constexpr std::size_t kLongest = 60;
  return text.size() <= kLongest ? text : text.substr(0, kLongest) + "...";
}

}  // namespace

void refuse(const SchemaSection& section, std::string_view key, const std::string& rule,
            const std::string& hint) {
  const toml::node& node = *section.table.get(key);
  throw InputError(kSchemaValue,
                   fmt::format("{} is {}; {}", section.full_name(key), text_of(node), rule), hint,
                   section.place_of(node));
}

void refuse_unknown_keys(const SchemaSection& section, const std::vector<std::string>& known) {
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

std::optional<SchemaSection> subsection(const SchemaSection& parent, std::string_view key) {
  const toml::node* node = parent.table.get(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_table()) {
    const std::string hint = fmt::format("Write [{}].", parent.full_name(key));
    if (!node->is_array()) refuse(parent, key, "it must be a table.", hint);
    throw InputError(kSchemaValue,
                     fmt::format("{} is a list; it must be a table.", parent.full_name(key)), hint,
                     parent.place_of(*node));
  }
  return SchemaSection{*node->as_table(), parent.full_name(key), parent.file, parent.level_files};
}

std::optional<double> read_number(const SchemaSection& section, std::string_view key) {
  const toml::node* node = section.table.get(key);
  if (node == nullptr) return std::nullopt;
  const std::optional<double> value =
      node->is_number() ? node->value<double>() : std::optional<double>();
  if (!value || !std::isfinite(*value)) {
    refuse(section, key, "it must be a finite number.", fmt::format("Write {} = 0.", key));
  }
  return value;
}

bool read_flag(const SchemaSection& section, std::string_view key) {
  const toml::node* node = section.table.get(key);
  if (node == nullptr) return false;
  if (!node->is_boolean()) {
    refuse(section, key, "it must be true or false.", fmt::format("Write {} = true.", key));
  }
  return **node->as_boolean();
}

std::optional<std::string> read_text(const SchemaSection& section, std::string_view key) {
  const toml::node* node = section.table.get(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_string() || node->as_string()->get().empty()) {
    refuse(section, key, "it must be a string.", fmt::format("Write {} = \"...\".", key));
  }
  return node->as_string()->get();
}

std::optional<std::vector<std::string>> read_texts(const SchemaSection& section,
                                                   std::string_view key) {
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

void contradict(const ColumnSchema& column, const std::string& what, const std::string& hint) {
  throw InputError(kSchemaContradiction, fmt::format("columns.{}: {}", column.name, what), hint,
                   column.place);
}

std::string join_names(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace dpvi
