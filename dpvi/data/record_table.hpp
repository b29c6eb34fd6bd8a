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

// The sensitive records in the layout that the trainer reads. A row is contiguous: its real slots,
// its integer slots and a usable flag. An unusable row holds only zeros and must contribute zero.
// Nothing here counts such rows, and nothing should.
//
// Every row is a record unless rows were assigned to records. Then gathered() makes a table in
// which the rows of a record are adjacent.
class RecordTable {
 public:
  static constexpr std::size_t kLanes = 16;

  // Reals are rounded to the stored precision; those too large for it become infinite.
  RecordTable(std::size_t real_slots, std::size_t integer_slots,
              Precision precision = Precision::double_precision);

  void append(std::span<const double> reals, std::span<const std::int32_t> integers);
  void append_unusable();

  // Assigns the last appended row to a record: one seen before, or the next new one (0, 1, ...).
  // Call it for every row or for none.
  void assign_last_row(std::uint32_t record);
  std::optional<std::uint32_t> assignment(std::uint64_t row) const;

  // Returns the same rows with those of one record adjacent, in the order in which they were
  // appended. Frees memory while copying: rows of a record that are already adjacent are not held
  // twice.
  RecordTable gathered() &&;

  // Removes all rows and keeps their memory for others. Not for gathered rows.
  void clear() { row_count_ = 0; }

  // The memory that a row takes.
  std::size_t bytes_per_row() const { return words_per_row_ * sizeof(std::uint32_t); }

  // Frees the memory of rows that are no longer needed: all or most of those before `row`.
  void forget_before(std::uint64_t row);

  std::uint64_t row_count() const { return row_count_; }
  std::uint64_t record_count() const;
  bool rows_are_records() const { return first_rows_.empty(); }

  // The half-open range of rows of a record: `first` to `end`, without `end`.
  struct Rows {
    std::uint64_t first;
    std::uint64_t end;
  };
  Rows rows_of(std::uint64_t record) const;

  std::size_t real_slots() const { return real_slots_; }
  std::size_t integer_slots() const { return integer_slots_; }
  Precision precision() const { return precision_; }

  // Prefetches records into the cache, some microseconds before load_lanes() needs them.
  void prefetch(std::span<const std::uint64_t> records) const;

  // Marks a lane that stays empty.
  static constexpr std::uint64_t kNoRow = ~std::uint64_t{0};

  // Writes at most kLanes rows side by side: reals[slot * kLanes + lane], and likewise for
  // integers. Lanes without a row, or with an unusable row, are zero. Bit l of the result is set if
  // lane l holds a usable row. The type of `reals` must match the precision of the table.
  //
  // Guarantee: the content of a lane depends on its own row alone.
  std::uint32_t load_lanes(std::span<const std::uint64_t> rows, std::span<float> reals,
                           std::span<std::int32_t> integers) const;
  std::uint32_t load_lanes(std::span<const std::uint64_t> rows, std::span<double> reals,
                           std::span<std::int32_t> integers) const;

 private:
  using Lanes = std::array<const std::uint32_t*, kLanes>;
  Lanes find_lanes(std::span<const std::uint64_t> rows) const;
  std::uint32_t load_integers(Lanes lanes, std::span<std::int32_t> integers) const;

  // Returns words of 4 bytes: one or two per real, then one per integer and one for the usable
  // flag.
  const std::uint32_t* row(std::uint64_t index) const;
  // Returns the row for writing; allocates its piece if necessary.
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
  std::vector<std::uint32_t> record_of_row_;  // as assigned, until gathered
  std::vector<std::uint64_t> first_rows_;     // of each gathered record; then the row count
};

}  // namespace dpvi
