#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/record_table.hpp>

namespace dpvi {

// Turns the cells of one row into a row of the table; where there are units, says whose it is.
// Guarantee: what cells contain never throws, prints or counts; a row that cannot be used
// contributes zero. One without an id, or beyond what its unit may have, is left out.
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

// All rows of a table, as CsvReader or JsonRows give them; those of a unit are still to be
// gathered. Its structure is checked to the last byte before the rows are handed out; zero rows are
// fine.
template <typename Rows>
RecordTable read_records(Rows& rows, const Binding& binding) {
  RecordTable table(binding.real_slots.size(), binding.integer_slots.size());
  RecordReader reader(binding);
  while (rows.next_row()) reader.append_row(rows.cells(), table);
  return table;
}

}  // namespace dpvi
