#include <dpvi/data/memory_table.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

bool has_text(const CodedTexts& cells, std::size_t row) {
  const std::int32_t code = cells.codes[row];
  return code >= 0 && static_cast<std::size_t>(code) < cells.texts.size();
}

const std::string& coded_text(const CodedTexts& cells, std::size_t row) {
  return cells.texts[static_cast<std::size_t>(cells.codes[row])];
}

bool is_missing(const MemoryColumn& column, std::size_t row) {
  if (!column.missing.empty() && column.missing[row] != 0) return true;
  if (const auto* numbers = std::get_if<Numbers>(&column.cells)) return std::isnan((*numbers)[row]);
  const auto* texts = std::get_if<CodedTexts>(&column.cells);
  return texts != nullptr && !has_text(*texts, row);
}

// The shortest text of a cell that is not missing.
std::string cell_text(const MemoryColumn& column, std::size_t row) {
  if (const auto* texts = std::get_if<CodedTexts>(&column.cells)) return coded_text(*texts, row);
  if (const auto* whole = std::get_if<WholeNumbers>(&column.cells)) {
    return fmt::format("{}", (*whole)[row]);
  }
  return fmt::format("{}", std::get<Numbers>(column.cells)[row]);
}

std::size_t common_row_count(const std::vector<MemoryColumn>& columns) {
  for (const MemoryColumn& column : columns) {
    const std::size_t rows = column.row_count();
    const bool marks_fit = column.missing.empty() || column.missing.size() == rows;
    if (rows == columns.front().row_count() && marks_fit) continue;
    throw InputError(
        kRaggedRow,
        fmt::format("column '{}' or its list of missing cells has another length than column '{}'.",
                    column.name, columns.front().name),
        "Give every column one cell per row.");
  }
  return columns.empty() ? 0 : columns.front().row_count();
}

}  // namespace

std::size_t MemoryColumn::row_count() const {
  if (const auto* texts = std::get_if<CodedTexts>(&cells)) return texts->codes.size();
  if (const auto* whole = std::get_if<WholeNumbers>(&cells)) return whole->size();
  return std::get<Numbers>(cells).size();
}

MemoryTable::MemoryTable(std::vector<MemoryColumn> columns) : columns_(std::move(columns)) {
  std::set<std::string_view> names;
  for (const MemoryColumn& column : columns_) {
    if (!column.name.empty() && names.insert(column.name).second) continue;
    throw InputError(kBadHeader,
                     column.name.empty() ? "a column of the table has no name."
                                         : fmt::format("two columns are named '{}'.", column.name),
                     "Name every column of the table, each differently.");
  }
}

std::vector<std::string> MemoryTable::header() const {
  std::vector<std::string> names;
  for (const MemoryColumn& column : columns_) names.push_back(column.name);
  return names;
}

MemoryColumns::MemoryColumns(const MemoryTable& table, const ColumnRequest& request)
    : ids_(request.missing),
      unlisted_texts_(request.unlisted_texts),
      row_count_(common_row_count(table.columns())),
      block_(block_for(request)) {
  for (const BoundColumn& wanted : request.columns) {
    Column column{&table.columns()[wanted.position], CellParser(wanted, request.missing), {}};
    if (const auto* texts = std::get_if<CodedTexts>(&column.stored->cells)) {
      for (const std::string& text : texts->texts) {
        column.parsed_texts.push_back(column.parser.parse(text));
      }
    }
    columns_.push_back(std::move(column));
  }
  if (request.unit) unit_ = &table.columns()[request.unit->position];
}

TypedCell MemoryColumns::cell(const Column& column, std::size_t row) const {
  if (is_missing(*column.stored, row)) return {0, CellState::missing};
  if (const auto* texts = std::get_if<CodedTexts>(&column.stored->cells)) {
    return column.parsed_texts[static_cast<std::size_t>(texts->codes[row])];
  }
  if (const auto* whole = std::get_if<WholeNumbers>(&column.stored->cells)) {
    return column.parser.convert((*whole)[row]);
  }
  return column.parser.convert(std::get<Numbers>(column.stored->cells)[row]);
}

void MemoryColumns::fill(const Column& column, TypedColumn& out) const {
  out.unlisted_texts.clear();
  for (std::size_t i = 0; i < block_.rows; ++i) {
    out.set(i, cell(column, first_row_ + i));
    if (unlisted_texts_ == UnlistedTexts::kept && out.states[i] == CellState::unlisted_level) {
      out.unlisted_texts.emplace(i, cell_text(*column.stored, first_row_ + i));
    }
  }
}

void MemoryColumns::fill_units() {
  for (std::size_t i = 0; i < block_.rows; ++i) {
    const std::size_t row = first_row_ + i;
    block_.units[i] =
        is_missing(*unit_, row) ? TypedBlock::kNoUnit : ids_.number_of(cell_text(*unit_, row));
  }
}

const TypedBlock* MemoryColumns::next_block() {
  first_row_ += block_.rows;
  block_.rows = std::min(block_.capacity, row_count_ - first_row_);
  if (block_.rows == 0) return nullptr;
  for (std::size_t i = 0; i < columns_.size(); ++i) fill(columns_[i], block_.columns[i]);
  if (unit_ != nullptr) fill_units();
  return &block_;
}

}  // namespace dpvi
