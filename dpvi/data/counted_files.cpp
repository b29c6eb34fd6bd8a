#include <dpvi/data/counted_files.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>
#include <dpvi/data/schema_checks.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kRowsOfPiece = 1024;

}  // namespace

CountedFiles::CountedFiles(const std::vector<CountedFile>& files,
                           const std::string& number_column) {
  for (const CountedFile& file : files) {
    files_.push_back({file.count, CsvReader(file.path), {}});
    for (const std::string& name : files_.back().reader.header()) {
      const auto known = std::ranges::find(header_, name);
      files_.back().positions.push_back(static_cast<std::size_t>(known - header_.begin()));
      if (known == header_.end()) header_.push_back(name);
    }
  }
  header_.push_back(number_column);
  texts_.resize(header_.size());
  views_.resize(header_.size());
}

void CountedFiles::require_in(const File& file, const std::string& column) const {
  const std::vector<std::string>& names = file.reader.header();
  if (column == header_.back() || std::ranges::count(names, column) > 0) return;
  throw InputError(kMissingColumn,
                   fmt::format("column '{}' is not in the header of {}, whose rows {} counts.",
                               column, file.reader.path(), file.count),
                   similar_names_hint(column, names) + header_text(names),
                   {file.reader.path(), 1, 0});
}

void CountedFiles::refuse_types(const Binding& binding) const {
  for (const auto* slots : {&binding.real_slots, &binding.integer_slots}) {
    for (const Slot& slot : *slots) {
      if (slot.table == 0) continue;
      require_in(files_[slot.table - 1], binding.columns[slot.column].name);
    }
  }
  if (!binding.unit) return;
  for (const File& file : files_) require_in(file, binding.unit->name);
}

bool CountedFiles::read_piece(File& file) {
  for (std::vector<std::string>& column : texts_) column.clear();
  for (std::vector<std::string_view>& column : views_) column.clear();
  for (rows_ = 0; rows_ < kRowsOfPiece && file.reader.next_row(); ++rows_) {
    const auto cells = file.reader.cells();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      texts_[file.positions[i]].emplace_back(cells[i]);
    }
  }
  for (std::size_t i = 0; i + 1 < header_.size(); ++i) {
    views_[i].assign(texts_[i].begin(), texts_[i].end());
    views_[i].resize(rows_);  // views without data: missing cells
  }
  views_.back().assign(rows_, file.count);
  return rows_ > 0;
}

bool CountedFiles::next_piece() {
  while (at_ < files_.size()) {
    if (read_piece(files_[at_])) return true;
    ++at_;
  }
  return false;
}

MemoryColumn CountedFiles::column(std::size_t position) {
  return {header_[position], Texts(views_[position]), {}};
}

}  // namespace dpvi
