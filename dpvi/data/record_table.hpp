#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <dpvi/base/precision.hpp>
#include <dpvi/data/table_piece.hpp>

namespace dpvi {

// The sensitive records as the trainer reads them. A row lies in one piece: its real slots, its
// integer slots, and whether it is usable. One that is not has only zeros and must contribute zero;
// nothing here counts such rows, and nothing should. Every row is a record, unless it was said
// whose row each is; then gathered() makes a table in which the rows of a record are neighbours.
class RecordTable {
 public:
  static constexpr std::size_t kLanes = 16;

  // Reals are rounded to the precision they are kept in; those too large for it become infinite.
  RecordTable(std::size_t real_slots, std::size_t integer_slots,
              Precision precision = Precision::double_precision);

  void append(std::span<const double> reals, std::span<const std::int32_t> integers);
  void append_unusable();

  // Says whose row was appended last: a record met before, or the next new one (0, 1, ...). Said of
  // every row or of none.
  void assign_last_row(std::uint32_t record);
  std::optional<std::uint32_t> assignment(std::uint64_t row) const;

  // The same rows, those of one record side by side in the order in which they were appended. Gives
  // memory back as it goes: where rows of a record come together already, they are not held twice.
  RecordTable gathered() &&;

  // Gives back the memory of rows that nobody will ask for again: those before `row`, or most of
  // them.
  void forget_before(std::uint64_t row);

  std::uint64_t row_count() const { return row_count_; }
  std::uint64_t record_count() const;
  bool rows_are_records() const { return first_rows_.empty(); }

  // The rows of a record: from `first` on, without `end`.
  struct Rows {
    std::uint64_t first;
    std::uint64_t end;
  };
  Rows rows_of(std::uint64_t record) const;

  std::size_t real_slots() const { return real_slots_; }
  std::size_t integer_slots() const { return integer_slots_; }
  Precision precision() const { return precision_; }

  // Asks for the records to be brought near, some microseconds before load_lanes needs them.
  void prefetch(std::span<const std::uint64_t> records) const;

  // A lane that is to stay empty.
  static constexpr std::uint64_t kNoRow = ~std::uint64_t{0};

  // Writes at most kLanes rows side by side: reals[slot * kLanes + lane] and likewise integers.
  // Lanes without a row, and those of unusable rows, are zero. Bit l of the result says that lane l
  // holds a usable row. Only in the table's own precision.
  // Guarantee: what a lane holds depends on its own row alone.
  std::uint32_t load_lanes(std::span<const std::uint64_t> rows, std::span<float> reals,
                           std::span<std::int32_t> integers) const;
  std::uint32_t load_lanes(std::span<const std::uint64_t> rows, std::span<double> reals,
                           std::span<std::int32_t> integers) const;

 private:
  using Lanes = std::array<const std::uint32_t*, kLanes>;
  Lanes find_lanes(std::span<const std::uint64_t> rows) const;
  std::uint32_t load_integers(Lanes lanes, std::span<std::int32_t> integers) const;

  // Words of 4 bytes: one or two per real, then one per integer and one for the usable flag.
  const std::uint32_t* row(std::uint64_t index) const;
  // For writing; makes the piece it lies in if there is none.
  std::uint32_t* place_of_row(std::uint64_t index);
  std::uint32_t* next_row();
  std::size_t words_of_reals() const;

  std::size_t real_slots_;
  std::size_t integer_slots_;
  Precision precision_;
  std::size_t words_per_row_;
  std::uint64_t row_count_ = 0;
  // Pieces of 2^piece_bits_ rows, so that a growing table is never copied.
  unsigned piece_bits_;
  std::vector<TablePiece> pieces_;
  std::vector<std::uint32_t> zero_row_;
  std::vector<std::uint32_t> record_of_row_;  // as assigned, until they are gathered
  std::vector<std::uint64_t> first_rows_;     // of each gathered record; then the number of rows
};

}  // namespace dpvi
