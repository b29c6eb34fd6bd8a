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

// A table column that the program needs, with the rules for interpreting its cells.
struct BoundColumn {
  std::string name;
  std::size_t position = 0;  // in the header; without a header, among the bound columns
  ColumnType type = ColumnType::real;
  // Reals outside the bounds are clamped; an integer outside makes its row contribute zero.
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  std::optional<double> value_if_missing;  // nullopt: the row contributes zero
  std::vector<std::string> levels;
  CellFormat cells;            // how its cells are written
  std::vector<double> shares;  // of the levels; empty: equal
};

// A column that the schema does not declare is real and has no facts of its own.
BoundColumn bound_column(const std::string& name, std::size_t position, const Schema& schema);

// Public facts about the values of a slot, on the scale that the program sees.
struct SlotFacts {
  std::optional<double> lower;
  std::optional<double> upper;
  std::optional<double> mean;
  std::optional<double> sd;
};

// One number of every record: (column - subtract) / divide, or an indicator of `level`.
struct Slot {
  std::size_t column = 0;  // index into Binding::columns
  std::size_t level = 0;   // code of a level; 0 for the value of the column itself
  double subtract = 0;
  double divide = 1;
  // Bounds declared by the program. They apply after the transform, by the same rule as for
  // columns.
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  SlotFacts facts;
  std::size_t table = 0;  // see DataVariable::table
};

// Location of a variable's values in a record: `count` slots of its base type starting at
// `first_slot`, with the last index varying fastest.
struct BoundVariable {
  std::string name;
  BaseType base = BaseType::real;
  std::size_t first_slot = 0;
  std::size_t count = 0;
  std::vector<std::size_t> dimensions;
};

// A fact that the result reveals because a person declared it or the header contains it.
struct PublicFact {
  std::string name;
  std::string value;
  std::string source;
};

// The column that assigns rows to records. No program variable may read it.
struct UnitColumn {
  std::string name;
  std::size_t position = 0;    // in the header
  std::uint32_t max_rows = 1;  // per unit; the first ones in the file are kept
};

struct Binding {
  std::vector<BoundColumn> columns;
  std::vector<Slot> real_slots;
  std::vector<Slot> integer_slots;
  std::vector<BoundVariable> variables;
  std::vector<std::string> missing;  // cell texts that mean missing
  std::optional<UnitColumn> unit;    // nullopt: every row is a record
  // The integer slot with the number of a row's table, if there are several.
  std::optional<std::size_t> table_slot;
  PublicData public_data;  // declared values and the sizes derived from them
  std::vector<PublicFact> public_facts;
};

struct BindingRequest {
  std::vector<DataVariable> variables;
  Schema schema;
  PublicData public_data;  // declared outside the schema
  std::string record_count = "N";
  // Column names of the table. nullopt if no table has been opened; then every column named by the
  // schema or the program is assumed to exist.
  std::optional<std::vector<std::string>> header;
  std::string table_file;
  // Bind only these record variables; an empty list binds all. Other parts of the schema and the
  // program may then name columns that the table lacks. No unit is bound: every row is a record.
  std::vector<std::string> only;

  bool wants(const std::string& name) const;
};

// Refuses (DP321) a unit column that the table lacks.
std::optional<UnitColumn> bound_unit(const BindingRequest& request);

// Defines every number of a record before any cell is read. Refuses (DP321, DP331, DP333, DP340,
// DP341) anything that would have to be learned from cells.
Binding bind_columns(const BindingRequest& request);

// The same, but returns nullopt if a required public fact is not declared (DP341).
std::optional<Binding> bind_if_declared(const BindingRequest& request);

}  // namespace dpvi
