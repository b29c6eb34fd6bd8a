#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/csv_reader.hpp>
#include <dpvi/data/record_table.hpp>

namespace dpvi {

// Turns the cells of one row into one record.
// Guarantee: what cells contain never throws, prints or counts; a row that cannot be used becomes
// a record that contributes zero.
class RecordReader {
 public:
  explicit RecordReader(const Binding& binding);
  ~RecordReader();
  RecordReader(const RecordReader&) = delete;
  RecordReader& operator=(const RecordReader&) = delete;

  // `cells` is indexed by BoundColumn::position.
  void append_row(std::span<const std::string_view> cells, RecordTable& table);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// All records of a CSV file. Its structure is checked to the last byte before the table is handed
// out; zero records are fine.
RecordTable read_records(CsvReader& csv, const Binding& binding);

}  // namespace dpvi
