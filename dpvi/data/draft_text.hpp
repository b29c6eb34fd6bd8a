#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/data/schema.hpp>

namespace dpvi {

// Texts and keys as TOML writes them.
std::string toml_text(std::string_view text);
std::string toml_key(std::string_view name);
std::string toml_texts(const std::vector<std::string>& texts);

// A column whose name looks like an id, with its place from 1. The name is empty if it must not be
// shown.
struct IdColumn {
  std::size_t place = 0;
  std::string name;
};

// What a draft says of the table: declared facts, and the id column that asks for a decision.
struct TableFacts {
  const Schema& schema;
  std::optional<IdColumn> id = std::nullopt;
};

// The lines of a schema to complete.
struct DraftText {
  std::string toml;
  std::vector<std::string> missing;  // keys to fill in

  void line(std::string_view text);
  // Writes "key = value" and its meaning in aligned columns.
  void entry(const std::string& assignment, std::string_view meaning);
  // The same as a comment, to be completed.
  void to_fill_in(const std::string& section, const std::string& key, const std::string& value,
                  const std::string& meaning);
  void add_opening(bool header_read);
  void add_table(const TableFacts& facts);

 private:
  void add_unit(const TableFacts& facts);
};

}  // namespace dpvi
