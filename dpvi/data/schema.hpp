#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/base/error.hpp>
#include <dpvi/data/public_data.hpp>

namespace dpvi {

enum class ColumnType { real, integer, category };

// How a category becomes numbers: its code 1..K; K-1 columns of 0 and 1, the first level being all
// zeros; K columns of 0 and 1.
enum class Coding { index, dummy, one_hot };

// Public facts about one column. Every field is a declaration; none is ever read from cells.
struct ColumnSchema {
  std::string name;
  std::optional<ColumnType> type;  // absent: as the program's variable
  std::optional<double> lower;     // reals below are raised to it, integers dropped
  std::optional<double> upper;     // reals above are lowered to it, integers dropped
  std::optional<double> mean;
  std::optional<double> sd;
  bool standardise = false;  // the program sees (x - mean) / sd
  std::optional<double>
      value_if_missing;             // on the column's own scale; a level's code for categories
  std::vector<std::string> levels;  // codes 1..K in this order
  std::string levels_file;          // the file that lists them; empty if the schema does
  std::optional<Coding> coding;     // absent: index for integers, dummy for reals
  SourcePlace place;
};

// The columns that one variable of the program is made of.
struct DeclaredBinding {
  std::vector<std::string> columns;
  SourcePlace place;
};

// The column that says whose row a row is, and how many rows of one unit count.
struct DeclaredUnit {
  std::string column;
  std::uint32_t max_rows = 1;
  SourcePlace place;
};

struct Schema {
  std::string file;
  std::optional<std::int64_t> rows;  // declared, roughly right; never counted
  std::optional<DeclaredUnit> unit;  // absent: every row is a record
  std::vector<std::string> missing = {"", "NA", "NaN"};
  std::vector<ColumnSchema> columns;  // in the order of names
  std::string records;                // name of the record count; empty if not declared
  std::map<std::string, DeclaredBinding> bindings;
  PublicData public_values;

  const ColumnSchema* find_column(std::string_view name) const;
};

// Reads and validates; a level file is looked for beside the schema. Refusals are InputErrors
// DP310 to DP313 with line and column, and MissingInputError for a file that is not there.
Schema read_schema(const std::string& path);

// What level files hold, by the name that a schema gives them.
using LevelFiles = std::map<std::string, std::vector<std::string>>;

// The same for a text at hand; `file` is used in messages and to find level files that are not
// `known`.
Schema parse_schema(std::string_view text, const std::string& file, const LevelFiles& known = {});

}  // namespace dpvi
