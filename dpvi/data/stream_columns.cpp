#include <dpvi/data/stream_columns.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace dpvi {

struct StreamColumns::Column {
  std::size_t position;
  CellParser parser;
  MemoryColumn piece = {};
  std::vector<TypedCell> parsed_texts = {};  // of coded texts, by code
};

namespace {

bool has_text(const CodedTexts& cells, std::size_t row) {
  const std::int32_t code = cells.codes[row];
  return code >= 0 && static_cast<std::size_t>(code) < cells.texts.size();
}

bool is_missing(const MemoryColumn& column, std::size_t row) {
  if (!column.missing.empty() && column.missing[row] != 0) return true;
  if (const auto* numbers = std::get_if<Numbers>(&column.cells)) return std::isnan((*numbers)[row]);
  if (const auto* texts = std::get_if<Texts>(&column.cells)) {
    return (*texts)[row].data() == nullptr;
  }
  const auto* coded = std::get_if<CodedTexts>(&column.cells);
  return coded != nullptr && !has_text(*coded, row);
}

// The shortest text of a cell that is not missing.
std::string cell_text(const MemoryColumn& column, std::size_t row) {
  if (const auto* coded = std::get_if<CodedTexts>(&column.cells)) {
    return coded->texts[static_cast<std::size_t>(coded->codes[row])];
  }
  if (const auto* texts = std::get_if<Texts>(&column.cells)) return std::string((*texts)[row]);
  if (const auto* whole = std::get_if<WholeNumbers>(&column.cells)) {
    return fmt::format("{}", (*whole)[row]);
  }
  return fmt::format("{}", std::get<Numbers>(column.cells)[row]);
}

}  // namespace

StreamColumns::StreamColumns(ColumnStream& stream, const ColumnRequest& request)
    : stream_(stream),
      ids_(request.missing),
      unlisted_texts_(request.unlisted_texts),
      block_(block_for(request)) {
  for (const BoundColumn& wanted : request.columns) {
    columns_.push_back({wanted.position, CellParser(wanted, request.missing)});
  }
  if (request.unit) {
    BoundColumn ids;
    ids.name = request.unit->name;
    unit_ = std::make_unique<Column>(request.unit->position, CellParser(ids, request.missing));
  }
}

StreamColumns::~StreamColumns() = default;

// Moves to the next piece that has rows.
bool StreamColumns::start_piece() {
  while (stream_.next_piece()) {
    row_count_ = stream_.rows();
    first_row_ = 0;
    block_.rows = 0;
    const auto take = [&](Column& column) {
      column.piece = stream_.column(column.position);
      refuse_other_length(column.piece, row_count_);
    };
    if (unit_) take(*unit_);
    for (Column& column : columns_) {
      take(column);
      const auto* coded = std::get_if<CodedTexts>(&column.piece.cells);
      if (coded == nullptr) continue;
      column.parsed_texts.clear();
      for (const std::string& text : coded->texts) {
        column.parsed_texts.push_back(column.parser.parse(text));
      }
    }
    if (row_count_ > 0) return true;
  }
  return false;
}

TypedCell StreamColumns::cell(const Column& column, std::size_t row) const {
  const MemoryColumn& piece = column.piece;
  if (is_missing(piece, row)) return {0, CellState::missing};
  if (const auto* coded = std::get_if<CodedTexts>(&piece.cells)) {
    return column.parsed_texts[static_cast<std::size_t>(coded->codes[row])];
  }
  if (const auto* texts = std::get_if<Texts>(&piece.cells)) {
    return column.parser.parse((*texts)[row]);
  }
  if (const auto* whole = std::get_if<WholeNumbers>(&piece.cells)) {
    return column.parser.convert((*whole)[row]);
  }
  return column.parser.convert(std::get<Numbers>(piece.cells)[row]);
}

void StreamColumns::fill(const Column& column, TypedColumn& out) const {
  out.unlisted_texts.clear();
  for (std::size_t i = 0; i < block_.rows; ++i) {
    out.set(i, cell(column, first_row_ + i));
    if (unlisted_texts_ == UnlistedTexts::kept && out.states[i] == CellState::unlisted_level) {
      out.unlisted_texts.emplace(i, cell_text(column.piece, first_row_ + i));
    }
  }
}

void StreamColumns::fill_units() {
  for (std::size_t i = 0; i < block_.rows; ++i) {
    const std::size_t row = first_row_ + i;
    block_.units[i] = is_missing(unit_->piece, row) ? TypedBlock::kNoUnit
                                                    : ids_.number_of(cell_text(unit_->piece, row));
  }
}

const TypedBlock* StreamColumns::next_block() {
  first_row_ += block_.rows;
  block_.rows = 0;
  if (first_row_ == row_count_ && !start_piece()) return nullptr;
  block_.rows = std::min(block_.capacity, row_count_ - first_row_);
  for (std::size_t i = 0; i < columns_.size(); ++i) fill(columns_[i], block_.columns[i]);
  if (unit_) fill_units();
  return &block_;
}

}  // namespace dpvi
