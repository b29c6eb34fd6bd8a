#pragma once

#include <map>
#include <string>
#include <vector>

namespace dpvi {

// Numbers that were declared public, or follow from what was.
struct PublicNumbers {
  bool integers = false;
  std::vector<std::size_t> dimensions;  // empty for a scalar
  std::vector<double> numbers;          // last index fastest
};

// What a fit was told beside program and schema, so that its bundle can be used without them.
// Public, all of it: the header of the table and declarations, never a cell.
struct PublicInputs {
  std::string record_count = "N";
  std::map<std::string, PublicNumbers> values;  // by variable
  // The table's columns that each record variable is made of.
  std::map<std::string, std::vector<std::string>> columns;
  // Levels that the schema names a file for, by that name.
  std::map<std::string, std::vector<std::string>> level_files;
};

}  // namespace dpvi
