#include <dpvi/api/table_rows.hpp>

#include <dpvi/data/stream_columns.hpp>
#include <dpvi/data/text_columns.hpp>

namespace dpvi {

std::string name_of(const Table& table) {
  if (const auto* file = std::get_if<TableFile>(&table)) return file->path;
  const auto* stream = std::get_if<StreamedTable>(&table);
  return stream == nullptr ? "table in memory" : stream->name;
}

TableRows::TableRows(const Table& table) {
  if (const auto* file = std::get_if<TableFile>(&table)) {
    auto csv = std::make_unique<CsvReader>(file->path);
    header_ = csv->header();
    rows_ = std::move(csv);
    return;
  }
  const auto* stream = std::get_if<StreamedTable>(&table);
  std::shared_ptr<ColumnStream> opened =
      stream != nullptr ? stream->open() : std::make_shared<OnePiece>(std::get<MemoryTable>(table));
  header_ = opened->header();
  rows_ = std::move(opened);
}

void TableRows::refuse_types(const Binding& binding) const {
  const auto* stream = std::get_if<std::shared_ptr<ColumnStream>>(&rows_);
  if (stream != nullptr) (*stream)->refuse_types(binding);
}

std::unique_ptr<ColumnSource> TableRows::source(const ColumnRequest& request) {
  if (auto* stream = std::get_if<std::shared_ptr<ColumnStream>>(&rows_)) {
    return std::make_unique<StreamColumns>(**stream, request);
  }
  return std::make_unique<TextColumns<CsvReader>>(*std::get<std::unique_ptr<CsvReader>>(rows_),
                                                  request);
}

}  // namespace dpvi
