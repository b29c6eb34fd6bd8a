#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <dpvi/data/cell_parser.hpp>
#include <dpvi/data/column_source.hpp>
#include <dpvi/data/column_stream.hpp>
#include <dpvi/data/unit_ids.hpp>

namespace dpvi {

// The rows of a stream of columns, under the rules for CSV files: the schema decides whether a
// column holds reals, whole numbers or levels. Where it asks for numbers, texts are parsed. Where
// it asks for levels or ids, a number stands for its shortest text. In a column of numbers, a
// number is missing if a text that means missing spells it.
class StreamColumns : public ColumnSource {
 public:
  // The stream must outlive this object.
  StreamColumns(ColumnStream& stream, const ColumnRequest& request);
  ~StreamColumns() override;

  // Refuses (DP322) pieces with columns of unequal length.
  const TypedBlock* next_block() override;

 private:
  struct Column;

  bool start_piece();
  TypedCell cell(const Column& column, std::size_t row) const;
  void fill(const Column& column, TypedColumn& out) const;
  void fill_units();

  ColumnStream& stream_;
  std::vector<Column> columns_;
  std::unique_ptr<Column> unit_;
  UnitIds ids_;
  UnlistedTexts unlisted_texts_;
  std::size_t row_count_ = 0;  // of the piece
  std::size_t first_row_ = 0;  // of the block, in the piece
  TypedBlock block_;
};

}  // namespace dpvi
