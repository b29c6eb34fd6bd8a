#include <dpvi/data/column_source.hpp>

#include <algorithm>

namespace dpvi {
namespace {

constexpr std::size_t kCellsPerBlock = 1 << 13;

}  // namespace

ColumnRequest column_request(const Binding& binding, UnlistedTexts unlisted_texts) {
  return {binding.columns, binding.missing, binding.unit, unlisted_texts};
}

TypedBlock block_for(const ColumnRequest& request) {
  const std::size_t width = request.columns.size() + (request.unit ? 1 : 0);
  const std::size_t rows =
      std::max<std::size_t>(1, kCellsPerBlock / std::max<std::size_t>(1, width));
  TypedBlock block;
  block.columns.resize(request.columns.size());
  for (TypedColumn& column : block.columns) {
    column.numbers.resize(rows);
    column.states.resize(rows);
  }
  if (request.unit) block.units.resize(rows);
  block.capacity = rows;
  return block;
}

}  // namespace dpvi
