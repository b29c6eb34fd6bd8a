#include <dpvi/data/memory_table.hpp>

#include <utility>

#include <dpvi/data/column_stream.hpp>

namespace dpvi {

std::size_t MemoryColumn::row_count() const {
  if (const auto* coded = std::get_if<CodedTexts>(&cells)) return coded->codes.size();
  if (const auto* texts = std::get_if<Texts>(&cells)) return texts->size();
  if (const auto* whole = std::get_if<WholeNumbers>(&cells)) return whole->size();
  return std::get<Numbers>(cells).size();
}

MemoryTable::MemoryTable(std::vector<MemoryColumn> columns) : columns_(std::move(columns)) {
  refuse_bad_names(header());
}

std::vector<std::string> MemoryTable::header() const {
  std::vector<std::string> names;
  for (const MemoryColumn& column : columns_) names.push_back(column.name);
  return names;
}

}  // namespace dpvi
