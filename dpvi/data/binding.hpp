#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dpvi/data/data_variable.hpp>
#include <dpvi/data/public_data.hpp>
#include <dpvi/data/schema.hpp>

namespace dpvi {

// One column of the table that the program needs, and how its cells are understood.
struct BoundColumn {
  std::string name;
  std::size_t position = 0;  // in the header; without a header its place among the bound columns
  ColumnType type = ColumnType::real;
  // Reals outside are clamped; an integer outside makes its row contribute zero.
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  std::optional<double> value_if_missing;  // absent: the row contributes zero
  std::vector<std::string> levels;
};

// `declared` may be null: then the column is real and nothing is known of it.
BoundColumn bound_column(const std::string& name, std::size_t position,
                         const ColumnSchema* declared);

// What is publicly known of the values a slot takes, as the program sees them.
struct SlotFacts {
  std::optional<double> lower;
  std::optional<double> upper;
  std::optional<double> mean;
  std::optional<double> sd;
};

// One number of every record: (column - subtract) / divide, or whether the column has `level`.
struct Slot {
  std::size_t column = 0;  // index into Binding::columns
  std::size_t level = 0;   // code of a level; 0 for the column's value itself
  double subtract = 0;
  double divide = 1;
  // Declared by the program, after the transform; same rule as for columns.
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  SlotFacts facts;
};

// Where a variable's values lie in a record: `count` slots of its base type from `first_slot`, the
// last index moving fastest.
struct BoundVariable {
  std::string name;
  BaseType base = BaseType::real;
  std::size_t first_slot = 0;
  std::size_t count = 0;
  std::vector<std::size_t> dimensions;
};

// Something that the result will reveal because a person declared it or the header says it.
struct PublicFact {
  std::string name;
  std::string value;
  std::string source;
};

// The column that says which rows make one record. No variable of the program is made of it.
struct UnitColumn {
  std::string name;
  std::size_t position = 0;    // in the header
  std::uint32_t max_rows = 1;  // of one unit; the first in the file stay
};

struct Binding {
  std::vector<BoundColumn> columns;
  std::vector<Slot> real_slots;
  std::vector<Slot> integer_slots;
  std::vector<BoundVariable> variables;
  std::vector<std::string> missing;  // cell texts that mean missing
  std::optional<UnitColumn> unit;    // absent: every row is a record
  PublicData public_data;            // as declared, and the sizes that follow
  std::vector<PublicFact> public_facts;
};

struct BindingRequest {
  std::vector<DataVariable> variables;
  Schema schema;
  PublicData public_data;  // declared outside the schema
  std::string record_count = "N";
  // The names that the table offers; absent while no table is opened: every column that schema and
  // program name is then taken to be there.
  std::optional<std::vector<std::string>> header;
  std::string table_file;
  // Bind these record variables only; empty for all. The rest of schema and program may then name
  // columns that the table lacks, and nobody asks for the unit: every row stands for itself.
  std::vector<std::string> only;

  bool wants(const std::string& name) const;
};

// Refuses (DP321) a unit column that the table lacks.
std::optional<UnitColumn> bound_unit(const BindingRequest& request);

// Decides, before any cell is read, what every number of a record will be. Refuses (DP321, DP331,
// DP333, DP340, DP341) whatever would have to be learned from cells.
Binding bind_columns(const BindingRequest& request);

}  // namespace dpvi
