#include <dpvi/data/column_stream.hpp>

#include <set>
#include <string_view>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>

namespace dpvi {

void refuse_bad_names(const std::vector<std::string>& names) {
  std::set<std::string_view> seen;
  for (const std::string& name : names) {
    if (!name.empty() && seen.insert(name).second) continue;
    throw InputError(kBadHeader,
                     name.empty() ? "a column of the table has no name."
                                  : fmt::format("two columns are named '{}'.", name),
                     "Name every column of the table, each differently.");
  }
}

void refuse_other_length(const MemoryColumn& column, std::size_t rows) {
  const bool marks_fit = column.missing.empty() || column.missing.size() == rows;
  if (column.row_count() == rows && marks_fit) return;
  throw InputError(kRaggedRow,
                   fmt::format("column '{}' or its list of missing cells has another length than "
                               "the other columns.",
                               column.name),
                   "Give every column one cell per row.");
}

bool OnePiece::next_piece() {
  if (delivered_ || table_.columns().empty()) return false;
  delivered_ = true;
  for (const MemoryColumn& column : table_.columns()) refuse_other_length(column, rows());
  return true;
}

}  // namespace dpvi
