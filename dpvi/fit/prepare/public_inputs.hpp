#pragma once

#include <map>
#include <string>
#include <vector>

namespace dpvi {

// Numbers that were declared public or derived from public declarations.
struct PublicNumbers {
  bool integers = false;
  std::vector<std::size_t> dimensions;  // empty for a scalar
  std::vector<double> numbers;          // last index fastest
};

// The inputs of a fit besides program and schema, so that its bundle is self-contained. All of it
// is public: declarations and the table header, never a cell.
struct PublicInputs {
  std::string record_count = "N";
  std::map<std::string, PublicNumbers> values;  // by variable
  // Table columns that make up each record variable.
  std::map<std::string, std::vector<std::string>> columns;
  // Levels from files that the schema names, by file name.
  std::map<std::string, std::vector<std::string>> level_files;
  // For variables outside the data: names of the indices of each dimension, empty if they are only
  // numbers.
  std::map<std::string, std::vector<std::vector<std::string>>> index_names;
};

}  // namespace dpvi
