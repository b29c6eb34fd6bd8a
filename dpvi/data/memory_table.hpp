#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <dpvi/data/cell_parser.hpp>
#include <dpvi/data/column_source.hpp>
#include <dpvi/data/unit_ids.hpp>

namespace dpvi {

using Numbers = std::span<const double>;  // NaN is a missing cell
using WholeNumbers = std::span<const std::int64_t>;

// Texts, each stored once: row i holds texts[codes[i]]. A code without a text is a missing cell.
struct CodedTexts {
  std::vector<std::string> texts;
  std::span<const std::int32_t> codes;
};

// One column in memory.
struct MemoryColumn {
  std::string name;
  std::variant<Numbers, WholeNumbers, CodedTexts> cells;
  // Marks missing cells by a value other than 0. Empty if no cell is marked.
  std::span<const std::uint8_t> missing = {};

  std::size_t row_count() const;
};

// A table in memory. It views the cells, which must outlive it; nothing is copied.
class MemoryTable {
 public:
  // Refuses (DP324) names that are empty or repeated. Reads no cell and no row count.
  explicit MemoryTable(std::vector<MemoryColumn> columns);

  // For BindingRequest::header.
  std::vector<std::string> header() const;
  const std::vector<MemoryColumn>& columns() const { return columns_; }

 private:
  std::vector<MemoryColumn> columns_;
};

// The rows of a table in memory, under the rules for CSV files: the schema decides whether a column
// holds reals, whole numbers or levels. Where it asks for numbers, texts are parsed. Where it asks
// for levels or ids, a number stands for its shortest text. In a column of numbers, a number is
// missing if a text that means missing spells it.
class MemoryColumns : public ColumnSource {
 public:
  // Refuses (DP322) columns of unequal length. The table must outlive this object.
  MemoryColumns(const MemoryTable& table, const ColumnRequest& request);

  const TypedBlock* next_block() override;

 private:
  struct Column {
    const MemoryColumn* stored;
    CellParser parser;
    std::vector<TypedCell> parsed_texts;  // by code
  };

  TypedCell cell(const Column& column, std::size_t row) const;
  void fill(const Column& column, TypedColumn& out) const;
  void fill_units();

  std::vector<Column> columns_;
  const MemoryColumn* unit_ = nullptr;
  UnitIds ids_;
  UnlistedTexts unlisted_texts_;
  std::size_t row_count_;
  std::size_t first_row_ = 0;  // of the block
  TypedBlock block_;
};

}  // namespace dpvi
