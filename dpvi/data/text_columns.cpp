#include <dpvi/data/text_columns.hpp>

namespace dpvi {

TextRowParser::TextRowParser(const ColumnRequest& request)
    : unit_(request.unit),
      ids_(request.missing),
      unlisted_texts_(request.unlisted_texts),
      block_(block_for(request)) {
  columns_.reserve(request.columns.size());
  for (const BoundColumn& column : request.columns) {
    columns_.push_back({column.position, CellParser(column, request.missing)});
  }
}

void TextRowParser::clear() {
  block_.rows = 0;
  for (TypedColumn& column : block_.columns) column.unlisted_texts.clear();
}

void TextRowParser::append(std::span<const std::string_view> cells) {
  const std::size_t row = block_.rows++;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const Column& column = columns_[i];
    block_.columns[i].set(row, column.parser.parse(cells[column.position]));
  }
  if (unit_) block_.units[row] = ids_.number_of(cells[unit_->position]);
  if (unlisted_texts_ == UnlistedTexts::kept) keep_unlisted_texts(cells);
}

void TextRowParser::keep_unlisted_texts(std::span<const std::string_view> cells) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    TypedColumn& column = block_.columns[i];
    if (column.states[block_.rows - 1] != CellState::unlisted_level) continue;
    column.unlisted_texts.emplace(block_.rows - 1, cells[columns_[i].position]);
  }
}

}  // namespace dpvi
