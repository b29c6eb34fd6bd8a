#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <toml++/toml.h>

#include <dpvi/base/nearest_name.hpp>
#include <dpvi/data/schema.hpp>

namespace dpvi {

// One table of a schema file, with its dotted name for messages ("columns.age").
struct SchemaSection {
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
    return name.empty() ? std::string(key) : name + "." + std::string(key);
  }
};

[[noreturn]] void refuse(const SchemaSection& section, std::string_view key,
                         const std::string& rule, const std::string& hint);
[[noreturn]] void contradict(const ColumnSchema& column, const std::string& what,
                             const std::string& hint);
void refuse_unknown_keys(const SchemaSection& section, const std::vector<std::string>& known);

// Each returns nothing (read_flag: false) for an absent key, and refuses (DP312) a value of another
// kind.
std::optional<SchemaSection> subsection(const SchemaSection& parent, std::string_view key);
std::optional<double> read_number(const SchemaSection& section, std::string_view key);
bool read_flag(const SchemaSection& section, std::string_view key);
std::optional<std::string> read_text(const SchemaSection& section, std::string_view key);
std::optional<std::vector<std::string>> read_texts(const SchemaSection& section,
                                                   std::string_view key);

// "a, b, c"
std::string join_names(const std::vector<std::string>& names);

template <typename Choice>
std::optional<Choice> read_choice(const SchemaSection& section, std::string_view key,
                                  const std::vector<std::pair<std::string, Choice>>& choices) {
  if (section.table.get(key) == nullptr) return std::nullopt;
  const std::string text = section.table.get(key)->value_or(std::string());
  std::vector<std::string> names;
  for (const auto& [name, choice] : choices) {
    if (text == name) return choice;
    names.push_back(name);
  }
  const std::optional<std::string> near = nearest_name(text, names);
  refuse(section, key, "it must be one of " + join_names(names) + ".",
         "Write " + std::string(key) + " = \"" + near.value_or(names.front()) + "\".");
}

}  // namespace dpvi
