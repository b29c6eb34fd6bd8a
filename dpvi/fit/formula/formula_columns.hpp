#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include <dpvi/data/schema.hpp>

namespace dpvi {

// The generated quantity of a formula's program that is the mean of its response.
inline constexpr const char* kExpected = "expected";

// A text of the schema for a single-line comment: without control characters.
std::string in_comment(std::string text);

inline constexpr const char* kLevelsEnding = "_levels";

// A valid Stan variable name: letters, digits and '_', not a reserved word, and not like the names
// that formulas make.
std::string stan_name(const std::string& column);

// What stands in the program before its parameters.
struct ProgramHead {
  std::string notes;  // comments above the first block
  std::string data;
  std::string transformed;  // the transformed data block
};

// The columns of a formula as data variables of its program. Every one must be declared in the
// schema. A note names each renamed one.
class FormulaColumns {
 public:
  FormulaColumns(const Schema& schema, ProgramHead& head) : schema_(schema), head_(head) {}

  const Schema& schema() const { return schema_; }
  // Throws InputError (DP341) for a column that is not in the schema.
  const ColumnSchema& column(const std::string& name) const;
  // Declares the column once and returns its name in the program.
  std::string declare(const ColumnSchema& known, const std::string& type);
  // Declares a category or group as codes 1..K.
  std::string declare_codes(const ColumnSchema& known);
  // The number of levels; where they are not known yet, the name of a size that follows from them.
  std::string level_count_text(const ColumnSchema& known);
  // The name of a declared column in the program.
  const std::string& name_of(const std::string& column) const { return names_.at(column); }
  // Columns by variable, where the names differ.
  std::map<std::string, std::string> renamed() const;

 private:
  std::string free_name(const std::string& column) const;

  const Schema& schema_;
  ProgramHead& head_;
  std::set<std::string> sizes_;               // declared sizes
  std::map<std::string, std::string> names_;  // program names of columns
  std::map<std::string, std::string> types_;
};

// Number of declared levels of a column; 0 if it has none.
std::int64_t level_count(const ColumnSchema& known);

// The declared bounds in angle brackets; empty without any.
std::string bounds_of(const ColumnSchema& known);

}  // namespace dpvi
