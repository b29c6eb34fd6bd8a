#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/stan/syntax/finding.hpp>
#include <dpvi/stan/syntax/syntax_tree.hpp>

namespace dpvi {

enum class DataRole {
  record_count,  // the number of records itself
  record,        // one value for each record
  known,         // public: must be known before the program runs
  unit_index,    // the unit of each record: all rows of one unit are used together
  unit_count     // the number of units
};

// A number as written in the program: a literal, a data int plus a constant, or any other
// expression.
struct StatedNumber {
  std::optional<double> number;  // the value of a literal
  std::string size;              // else the name of the data int, for a data int plus `plus`
  double plus = 0;
  std::string text;                            // the expression as text
  const StanExpression* expression = nullptr;  // in the program, which must outlive this
};

struct DataBlockVariable {
  const Declaration* declaration = nullptr;
  DataRole role = DataRole::known;
  std::vector<StatedNumber> sizes;  // without the record dimension
  std::optional<StatedNumber> lower, upper;
  std::size_t table = 0;         // of record data and record counts: index in DataBlock::tables
  bool per_unit = false;         // record data with one value for each unit: that of its first row
  bool used_as_size = false;     // an int that is used as a size in some declaration
  std::string type_description;  // "array[N] int<lower=1, upper=J>"
};

// The number of the table that a record is a row of: 1, 2, ... in the order of DataBlock::tables.
// It is record data that no program declares, after all others.
struct TableNumber {
  static constexpr const char* kName = "table of the row";
  Declaration declaration;
  DataBlockVariable variable;
};

// The inputs that a program declares. Points into the program it was made from.
struct DataBlock {
  std::vector<DataBlockVariable> variables;
  // The record counts, if there are several. A record is then one row of one of their tables.
  std::vector<std::string> tables;
  std::shared_ptr<const TableNumber> table_number;  // null without tables
  bool by_unit = false;  // the program has a unit index, so a record is all rows of one unit

  const DataBlockVariable* find(std::string_view name) const;
};

// The ints of the data block that are the leading size of other data variables: candidates for the
// record count.
std::vector<std::string> possible_record_counts(const StanProgram& program);

// The only int that can be the record count, if `name` is not declared or is the size of neither
// data nor transformed data (e.g. it counts groups).
std::optional<std::string> other_record_count(const StanProgram& program, const std::string& name);

// Divides the data block into record data, whose leading size is a record count, and public data.
// Reports a missing record count, and variables in which it is not the leading size.
DataBlock describe_data_block(const StanProgram& program,
                              const std::vector<std::string>& record_counts, Findings& findings);
DataBlock describe_data_block(const StanProgram& program, const std::string& record_count,
                              Findings& findings);

// Makes a record of all rows of one unit. `unit_index` is the record variable that reads the unit
// column. The number of units is the upper bound of that variable, or the size of a variable that
// it indexes; other data of that size have one value for each unit.
void join_rows_of_units(const StanProgram& program, const std::string& unit_index, DataBlock& data,
                        Findings& findings);

}  // namespace dpvi
