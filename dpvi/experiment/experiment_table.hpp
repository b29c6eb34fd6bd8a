#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/data/schema.hpp>

namespace dpvi {

// A table as an experiment uses it: the first rows are for training, the others for testing.
struct ExperimentTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  // cells, as in a file
  std::size_t training_rows = 0;
  std::string outcome;  // the column to predict
  // Declarations of the columns. `bindings` assigns columns to the program's variables.
  Schema schema;
};

// A range of a table's rows, with the interface of a file reader.
class TableRows {
 public:
  TableRows(const ExperimentTable& table, std::size_t first, std::size_t end)
      : table_(table), next_(first), end_(end), cells_(table.header.size()) {}

  const std::vector<std::string>& header() const { return table_.header; }
  bool next_row();
  std::span<const std::string_view> cells() const { return cells_; }

 private:
  const ExperimentTable& table_;
  std::size_t next_;
  std::size_t end_;
  std::vector<std::string_view> cells_;
};

inline TableRows training_rows(const ExperimentTable& table) {
  return {table, 0, table.training_rows};
}
inline TableRows test_rows(const ExperimentTable& table) {
  return {table, table.training_rows, table.rows.size()};
}

}  // namespace dpvi
