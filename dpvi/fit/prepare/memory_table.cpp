#include <dpvi/fit/prepare/memory_table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace dpvi {
namespace {

// Numbers are written with all their digits, so that they are read back unchanged.
std::string cell_text(const TableCell& cell, const std::string& missing) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *whole);
  const auto* number = std::get_if<double>(&cell);
  return number == nullptr || std::isnan(*number) ? missing : fmt::format("{}", *number);
}

}  // namespace

MemoryRows::MemoryRows(MemoryTable table, std::string missing)
    : table_(std::move(table)),
      missing_(std::move(missing)),
      row_(table_.columns.size()),
      texts_(table_.columns.size()),
      cells_(table_.columns.size()) {}

bool MemoryRows::next_row() {
  std::fill(row_.begin(), row_.end(), TableCell{});
  if (!table_.next_row(row_)) return false;
  for (std::size_t i = 0; i < row_.size(); ++i) {
    texts_[i] = cell_text(row_[i], missing_);
    cells_[i] = texts_[i];
  }
  return true;
}

}  // namespace dpvi
