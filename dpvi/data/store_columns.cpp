#include <dpvi/data/store_columns.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>
#include <dpvi/data/little_endian.hpp>
#include <dpvi/data/store_errors.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kReadAhead = std::size_t{1} << 23;

const StoredColumn& column_of(const RecordStore& store, std::size_t position,
                              const std::string& name) {
  const std::vector<StoredColumn>& columns = store.columns();
  if (position < columns.size() && columns[position].name == name) return columns[position];
  throw InternalError(kInternal, "a column was bound to another table.", "Report this message.");
}

std::size_t place_of(const RecordStore& store, std::size_t position) {
  return row_bytes(std::span(store.columns()).first(position));
}

[[noreturn]] void refuse(const RecordStore& store, const std::string& what) {
  throw InputError(kOtherDeclarations, what,
                   "Pack the table again with this schema, or fit with that of the packing.",
                   {store.path(), 0, 0});
}

}  // namespace

void refuse_other_declarations(const RecordStore& store, const Schema& schema,
                               const Binding& binding) {
  if (!schema.tables.empty()) {
    throw InputError(kNotBindable, "a record store holds one table, and the schema has several.",
                     "Name the CSV file.", {store.path(), 0, 0});
  }
  for (const BoundColumn& column : binding.columns) {
    const StoredColumn& stored = column_of(store, column.position, column.name);
    if (stored == stored_column(column.name, schema)) continue;
    refuse(store, fmt::format("column '{}' was packed under other declarations: {}.", column.name,
                              stored.kind == StoredKind::unit
                                  ? "it was the unit"
                                  : "another type, other levels or bounds, another way to write "
                                    "cells, or other texts for missing"));
  }
  if (!binding.unit) return;
  const StoredColumn& stored = column_of(store, binding.unit->position, binding.unit->name);
  if (stored == stored_unit(binding.unit->name, schema)) return;
  refuse(store, fmt::format("column '{}' was not packed as the unit, or with other texts for "
                            "missing.",
                            binding.unit->name));
}

StoreCells::StoreCells(const RecordStore& store, const ColumnRequest& request) {
  for (const BoundColumn& column : request.columns) {
    places_.push_back(
        {column_of(store, column.position, column.name), place_of(store, column.position)});
  }
  if (!request.unit) return;
  column_of(store, request.unit->position, request.unit->name);
  unit_at_ = place_of(store, request.unit->position);
}

void StoreCells::decode(const char* row, TypedBlock& block, std::size_t to) const {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    block.columns[i].set(to, places_[i].column.decode(row + places_[i].at));
  }
  if (unit_at_) block.units[to] = static_cast<std::uint32_t>(get_little(row + *unit_at_, 4));
}

StoreColumns::StoreColumns(const RecordStore& store, const ColumnRequest& request)
    : store_(store),
      cells_(store, request),
      block_(block_for(request)),
      bytes_(block_.capacity * store.row_bytes()) {}

const TypedBlock* StoreColumns::next_block() {
  block_.rows =
      static_cast<std::size_t>(std::min<std::uint64_t>(block_.capacity, store_.rows() - next_));
  if (block_.rows == 0) return nullptr;
  store_.read_rows(next_, block_.rows, bytes_.data());
  store_.read_ahead(next_ + block_.rows, kReadAhead);
  for (std::size_t row = 0; row < block_.rows; ++row) {
    cells_.decode(bytes_.data() + row * store_.row_bytes(), block_, row);
  }
  if (cells_.has_unit()) number_units();
  next_ += block_.rows;
  return &block_;
}

// Units are numbered in order of first appearance. Whatever else the file says has no unit: later
// code relies on the order.
void StoreColumns::number_units() {
  for (std::size_t row = 0; row < block_.rows; ++row) {
    std::uint32_t& unit = block_.units[row];
    if (unit == units_ && unit != TypedBlock::kNoUnit) {
      ++units_;
    } else if (unit > units_) {
      unit = TypedBlock::kNoUnit;
    }
  }
}

}  // namespace dpvi
