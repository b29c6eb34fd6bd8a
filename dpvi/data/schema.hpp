#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/base/error.hpp>
#include <dpvi/base/study.hpp>
#include <dpvi/data/cell_format.hpp>
#include <dpvi/data/public_data.hpp>

namespace dpvi {

enum class ColumnType { real, integer, category };

// Numeric coding of a category. index: its code 1..K. dummy: K-1 columns of 0 and 1, with all zeros
// for the first level. one_hot: K columns of 0 and 1.
enum class Coding { index, dummy, one_hot };

// Public facts about one column. Every field is a declaration; none is read from cells.
struct ColumnSchema {
  std::string name;
  std::optional<ColumnType> type;  // nullopt: type of the program's variable
  std::optional<double> lower;     // clamps reals below; rows with integers below contribute zero
  std::optional<double> upper;     // clamps reals above; rows with integers above contribute zero
  std::optional<double> mean;
  std::optional<double> sd;
  bool standardise = false;                // the program sees (x - mean) / sd
  std::optional<double> value_if_missing;  // on the column's scale; for categories a level's code
  std::vector<std::string> levels;         // codes 1..K in this order
  std::vector<double> shares;    // of the levels, adding up to 1; empty: equal, as far as is known
  std::string levels_file;       // file that lists the levels; empty if the schema lists them
  std::optional<Coding> coding;  // nullopt: index for integers, dummy for reals
  CellFormat cells;              // how its cells are written
  bool public_levels = false;    // declared: its levels are public groups, not persons
  SourcePlace place;
};

// The columns that make up one program variable.
struct DeclaredBinding {
  std::vector<std::string> columns;
  SourcePlace place;
};

// The column that assigns rows to units, and the number of rows of one unit that count.
struct DeclaredUnit {
  std::string column;
  std::uint32_t max_rows = 1;
  SourcePlace place;
};

// The table of one record count, if the program has several: a file of its own, or the rows of one
// file in which a column has a value.
struct CountedTable {
  std::string count;   // the record count: an int of the program's data block
  std::string file;    // empty: rows chosen by `column`
  std::string column;  // empty: a file
  std::string equals;  // the text in `column` of the rows of this table
  SourcePlace place;
};

struct Schema {
  std::string file;
  std::optional<std::int64_t> rows;  // declared and approximate; never counted
  std::optional<DeclaredUnit> unit;  // nullopt: every row is a record
  bool one_row_per_person = false;   // declared: no person has two rows
  std::vector<std::string> missing = {"", "NA", "NaN"};
  CellFormat cells;                   // of columns that have no entry of their own
  std::vector<ColumnSchema> columns;  // sorted by name
  std::string records;                // name of the record count; empty if not declared
  std::vector<CountedTable> tables;   // at least two, in the order of the file; or none
  std::map<std::string, DeclaredBinding> bindings;
  PublicData public_values;
  Study study;

  const ColumnSchema* find_column(std::string_view name) const;
};

// Reads and validates a schema. Level files are searched beside it. Throws InputError DP310 to
// DP313 with line and column, and MissingInputError for a file that does not exist.
Schema read_schema(const std::string& path);

// Contents of level files, by the name that a schema gives them.
using LevelFiles = std::map<std::string, std::vector<std::string>>;

// Parses a schema from a text. `file` is used in messages and to locate level files.
Schema parse_schema(std::string_view text, const std::string& file);

// The same for a schema from elsewhere. No file is read: a level file that is not in `known` is
// refused.
Schema parse_foreign_schema(std::string_view text, const std::string& file,
                            const LevelFiles& known);

}  // namespace dpvi
