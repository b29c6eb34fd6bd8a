#pragma once

#include <optional>
#include <string>

#include <dpvi/base/error.hpp>
#include <dpvi/data/binding.hpp>
#include <dpvi/data/public_data.hpp>
#include <dpvi/data/schema.hpp>
#include <dpvi/stan/facts/data_block.hpp>

namespace dpvi {

// If an int of the record reads the column that the schema names as the unit, makes a record of all
// rows of one unit (join_rows_of_units).
void join_declared_units(const StanProgram& program, const Schema& schema, DataBlock& data,
                         Findings& findings);

// Removes the column of the unit index, which is read as the unit, and values declared for the
// number of units, which are not used.
void leave_out_unit_variables(const DataBlock& data, BindingRequest& request);

// Public facts about a table, for the question below.
struct DeclaredTable {
  const Schema& schema;
  const PublicData& public_data;  // besides that of the schema
  std::optional<double> rows;     // if the schema does not declare them
};

// A parameter with a value for each level of an int of the record would be released for every
// level. Returns an error (DP341) with the lines to choose from if the levels may be persons and
// nothing says what they are: the int or its column has the name of an id, or there are more than
// 30 levels with fewer than 20 declared rows each. A unit, `public_levels`, or listed levels settle
// it, the last unless the name is that of a person. Decided by the program and declared facts,
// never by cells.
std::optional<InputError> undecided_levels(const StanProgram& program, const DataBlock& data,
                                           const DeclaredTable& declared, const std::string& file);

}  // namespace dpvi
