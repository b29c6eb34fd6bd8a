#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dpvi/data/arrow_type.hpp>
#include <dpvi/data/memory_table.hpp>

namespace dpvi {

// Rows [first, first + count) of an array, counted without its offset.
struct ArrowRows {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

// Reads one column of Arrow arrays. Arrays come from another program and are checked before they
// are read: lengths, offsets, missing buffers, places of texts. Sizes of buffers are not part of
// the format, except those of text views, so a length that is larger than its buffer cannot be
// noticed.
class ArrowColumn {
 public:
  // Throws InputError DP326 or DP327 for a name or type that cannot be read.
  explicit ArrowColumn(const ArrowSchema& schema);

  const std::string& name() const { return name_; }
  const ArrowType& type() const { return type_; }
  // The kind of the values: of a dictionary, that of its entries.
  ArrowKind kind() const;

  // Forgets what it knows about the array before. Throws InputError DP327 unless all rows of the
  // array can be read.
  void start(const ArrowArray& array, std::int64_t rows_needed);
  // The cells of some rows, valid until the next call. Numbers that are stored as doubles or 64-bit
  // whole numbers are not copied. Throws InputError DP327 for cells outside their buffers.
  MemoryColumn cells(ArrowRows rows);

 private:
  struct Storage {
    std::vector<double> numbers;
    std::vector<std::int64_t> whole;
    std::vector<std::string_view> texts;
    std::vector<std::string> made_texts;
    std::vector<std::uint8_t> missing;
  };

  [[noreturn]] void refuse(std::string_view what) const;
  void check_buffers() const;
  void mark_missing(ArrowRows rows);
  bool is_marked(std::int64_t i) const;
  template <typename Number>
  void read_whole(ArrowRows rows);
  void read_wide_whole(ArrowRows rows);
  template <typename Number>
  void read_real(ArrowRows rows);
  template <typename Offset>
  void read_texts(ArrowRows rows);
  void read_views(ArrowRows rows);
  std::string_view view_at(std::int64_t row) const;
  void read_dates(ArrowRows rows);
  std::string date_at(std::int64_t row) const;
  void read_decimals(ArrowRows rows);
  void read_booleans(ArrowRows rows);
  template <typename Number>
  std::optional<std::span<const Number>> values_in_place(ArrowRows rows) const;
  MemoryColumn whole_cells(ArrowRows rows);
  MemoryColumn real_cells(ArrowRows rows);
  MemoryColumn text_cells(ArrowRows rows);
  MemoryColumn plain_cells(ArrowRows rows);
  MemoryColumn dictionary_cells(ArrowRows rows);
  void use_texts(std::vector<std::string> texts);

  std::string name_;
  ArrowType type_;
  std::unique_ptr<ArrowColumn> entries_;  // of a dictionary
  const ArrowArray* array_ = nullptr;
  MemoryColumn entry_cells_;  // all entries of the present dictionary
  Storage storage_;
};

}  // namespace dpvi
