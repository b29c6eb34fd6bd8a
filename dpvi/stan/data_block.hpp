#pragma once

#include <optional>
#include <string>
#include <vector>

#include <dpvi/stan/finding.hpp>
#include <dpvi/stan/syntax_tree.hpp>

namespace dpvi {

enum class DataRole {
  record_count,  // the number of records itself
  record,        // one value for each record
  known          // public: must be known before the program runs
};

// A number as the program states it: outright, as a data int plus a constant, or otherwise.
struct StatedNumber {
  std::optional<double> number;  // the whole number, if it is stated outright
  std::string size;              // else the name of a data int, if it is that plus `plus`
  double plus = 0;
  std::string text;                            // as written
  const StanExpression* expression = nullptr;  // of the program, which must outlive this
};

struct DataBlockVariable {
  const Declaration* declaration = nullptr;
  DataRole role = DataRole::known;
  std::vector<StatedNumber> sizes;  // without the record dimension
  std::optional<StatedNumber> lower, upper;
  bool serves_as_size = false;  // an int that some declaration is sized by
  std::string type_words;       // "array[N] int<lower=1, upper=J>"
};

// What a program wants to be given. Points into the program it was made from.
struct DataBlock {
  std::vector<DataBlockVariable> variables;

  const DataBlockVariable* find(std::string_view name) const;
};

// The ints of the data block that lead other data variables: what might count the records.
std::vector<std::string> possible_record_counts(const StanProgram& program);

// The only int that can count the records, where `name` is not declared, or counts neither data nor
// transformed data (groups, say).
std::optional<std::string> other_record_count(const StanProgram& program, const std::string& name);

// Sorts the data block into record data, led by the record count, and public data. Reports a
// missing record count, and variables that have it anywhere but in front.
DataBlock describe_data_block(const StanProgram& program, const std::string& record_count,
                              Findings& findings);

}  // namespace dpvi
