#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace dpvi {

using Numbers = std::span<const double>;  // NaN is a missing cell
using WholeNumbers = std::span<const std::int64_t>;
using Texts = std::span<const std::string_view>;  // a view without data is a missing cell

// Texts, each stored once: row i holds texts[codes[i]]. A code without a text is a missing cell.
struct CodedTexts {
  std::vector<std::string> texts;
  std::span<const std::int32_t> codes;
};

// One column in memory.
struct MemoryColumn {
  std::string name;
  std::variant<Numbers, WholeNumbers, CodedTexts, Texts> cells;
  // Marks missing cells by a value other than 0. Empty if no cell is marked.
  std::span<const std::uint8_t> missing = {};

  std::size_t row_count() const;
};

// A table in memory. It views the cells, which must outlive it; nothing is copied. Its rows are
// read as those of any stream (stream_columns.hpp).
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

}  // namespace dpvi
