#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <dpvi/data/cell_parser.hpp>
#include <dpvi/data/column_source.hpp>
#include <dpvi/data/unit_ids.hpp>

namespace dpvi {

// Parses rows of text cells into a block.
class TextRowParser {
 public:
  explicit TextRowParser(const ColumnRequest& request);

  const TypedBlock& block() const { return block_; }
  bool is_full() const { return block_.rows == block_.capacity; }
  void clear();
  // `cells` is indexed by BoundColumn::position and UnitColumn::position.
  void append(std::span<const std::string_view> cells);

 private:
  struct Column {
    std::size_t position;
    CellParser parser;
  };

  void keep_unlisted_texts(std::span<const std::string_view> cells);

  std::vector<Column> columns_;
  std::optional<UnitColumn> unit_;
  UnitIds ids_;
  UnlistedTexts unlisted_texts_;
  TypedBlock block_;
};

// A table that is read row by row as texts. `Rows` has next_row() and cells(), as CsvReader has.
// The rows must outlive this object.
template <typename Rows>
class TextColumns : public ColumnSource {
 public:
  TextColumns(Rows& rows, const ColumnRequest& request) : rows_(rows), parser_(request) {}

  const TypedBlock* next_block() override {
    parser_.clear();
    while (!parser_.is_full() && rows_.next_row()) parser_.append(rows_.cells());
    return parser_.block().rows > 0 ? &parser_.block() : nullptr;
  }

 private:
  Rows& rows_;
  TextRowParser parser_;
};

}  // namespace dpvi
