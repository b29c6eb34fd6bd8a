#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <dpvi/api/table.hpp>
#include <dpvi/data/column_source.hpp>
#include <dpvi/data/csv_reader.hpp>

namespace dpvi {

// The rows of any table but Stan JSON, for readers that may look at them. A private fit reads its
// rows elsewhere (private_records.hpp).
class TableRows {
 public:
  // Reads the names. A table in memory must outlive this.
  explicit TableRows(const Table& table);

  const std::vector<std::string>& header() const { return header_; }
  // Refuses (DP340) columns whose declared type can never be read.
  void refuse_types(const Binding& binding) const;
  // Call it once. The result refers to this.
  std::unique_ptr<ColumnSource> source(const ColumnRequest& request);

 private:
  std::variant<std::unique_ptr<CsvReader>, std::shared_ptr<ColumnStream>> rows_;
  std::vector<std::string> header_;
};

}  // namespace dpvi
