#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>

namespace dpvi {

enum class CellState : std::uint8_t {
  value,
  missing,
  unlisted_level,  // a text that is no level of its column
  unparsable       // a text in a column of numbers
};

// A real, a whole number, or the code of a level (1, 2, ... in the order of BoundColumn::levels).
// Whole numbers are not rounded: one with a fraction keeps it. The number of a cell in another
// state than `value` means nothing.
struct TypedCell {
  double number = 0;
  CellState state = CellState::value;
};

// Cells of one column in consecutive rows.
struct TypedColumn {
  std::vector<double> numbers;
  std::vector<CellState> states;
  // Texts of the cells in state unlisted_level, by row, if the request asks for them.
  std::map<std::size_t, std::string> unlisted_texts;

  TypedCell cell(std::size_t row) const { return {numbers[row], states[row]}; }
  void set(std::size_t row, TypedCell cell) {
    numbers[row] = cell.number;
    states[row] = cell.state;
  }
};

// Consecutive rows of a table.
struct TypedBlock {
  static constexpr std::uint32_t kNoUnit = ~std::uint32_t{0};

  std::size_t rows = 0;
  std::size_t capacity = 0;  // length of every vector of cells; those after `rows` are unset
  std::vector<TypedColumn> columns;  // in the order of the request
  // The unit of each row, numbered 0, 1, ... in order of first appearance; kNoUnit for a row whose
  // id is missing. Empty if no unit is requested.
  std::vector<std::uint32_t> units;
};

enum class UnlistedTexts { dropped, kept };

// The columns that a source delivers.
struct ColumnRequest {
  std::vector<BoundColumn> columns;
  std::vector<std::string> missing;  // cell texts that mean missing
  std::optional<UnitColumn> unit;
  UnlistedTexts unlisted_texts = UnlistedTexts::dropped;  // kept for a curator's inspection only
};

ColumnRequest column_request(const Binding& binding,
                             UnlistedTexts unlisted_texts = UnlistedTexts::dropped);

// An empty block for the request. Its capacity is chosen so that its cells stay in the cache,
// however wide the table is.
TypedBlock block_for(const ColumnRequest& request);

// The rows of a table as typed columns. Parsing texts and decoding formats is the work of a source;
// bounds, replacement values and slots are the work of the RecordReader.
//
// The contents of a cell never cause an exception: they lead to a state. Malformed structure throws
// InputError.
class ColumnSource {
 public:
  virtual ~ColumnSource() = default;

  // Moves to the next rows. Returns null after the last row. The block is valid until the next
  // call. A block may be shorter than the block before it, and is never empty.
  virtual const TypedBlock* next_block() = 0;
};

}  // namespace dpvi
