#include <dpvi/data/store_column.hpp>

#include <bit>
#include <cmath>
#include <string_view>

#include <dpvi/base/sha256.hpp>
#include <dpvi/data/little_endian.hpp>

namespace dpvi {
namespace {

// Codes: 0 missing, 1 unlisted_level, 2 unparsable, 3 minus zero, then the declared numbers.
constexpr std::uint64_t kMinusZero = 3;
constexpr std::uint64_t kFirstValue = 4;
constexpr std::uint64_t kStateNaN = 0x7FF8'0000'0000'D000;

std::uint64_t code_of(CellState state) {
  if (state == CellState::missing) return 0;
  return state == CellState::unlisted_level ? 1 : 2;
}

CellState state_of(std::uint64_t code) {
  if (code == 0) return CellState::missing;
  return code == 1 ? CellState::unlisted_level : CellState::unparsable;
}

// A number outside its declaration makes its row unusable, as an unparsable cell does.
std::uint64_t code_of(TypedCell cell, std::int64_t first, std::uint64_t count) {
  if (cell.state != CellState::value) return code_of(cell.state);
  const double place = cell.number - static_cast<double>(first);
  const bool declared =
      place >= 0 && place < static_cast<double>(count) && std::trunc(place) == place;
  if (!declared) return code_of(CellState::unparsable);
  const bool minus_zero = cell.number == 0 && std::signbit(cell.number);
  return minus_zero ? kMinusZero : static_cast<std::uint64_t>(place) + kFirstValue;
}

std::uint64_t bits_of(TypedCell cell) {
  if (cell.state != CellState::value) return kStateNaN + code_of(cell.state);
  if (std::isnan(cell.number)) return kStateNaN + code_of(CellState::unparsable);
  return std::bit_cast<std::uint64_t>(cell.number);
}

TypedCell cell_of(std::uint64_t bits) {
  const auto number = std::bit_cast<double>(bits);
  if (!std::isnan(number)) return {number};
  return {0, state_of(bits - kStateNaN)};
}

// A text with its length, so that no two lists of texts look the same.
void add_text(std::string& all, std::string_view text) {
  append_little(all, text.size(), 8);
  all += text;
}

void add_cell_format(std::string& all, const CellFormat& cells) {
  all += cells.decimal_mark;
  all += cells.trim ? 't' : '-';
  add_text(all, cells.thousands_mark);
  add_text(all, cells.date ? cells.date->pattern : "");
  append_little(all, cells.date ? static_cast<std::uint64_t>(cells.date->origin) : 0, 8);
  append_little(all, cells.synonyms.size(), 8);
  for (const auto& [text, number] : cells.synonyms) {
    add_text(all, text);
    append_little(all, std::bit_cast<std::uint64_t>(number), 8);
  }
}

std::string declarations_of(const BoundColumn& column, const Schema& schema) {
  std::string all = column.type == ColumnType::category ? "category" : "number";
  append_little(all, column.levels.size(), 8);
  for (const std::string& level : column.levels) add_text(all, level);
  add_cell_format(all, column.cells);
  append_little(all, schema.missing.size(), 8);
  for (const std::string& text : schema.missing) add_text(all, text);
  return sha256_hex(all);
}

void choose_codes(StoredColumn& column, std::int64_t first, std::uint64_t count) {
  column.first = first;
  column.count = count;
  const std::uint64_t codes = count + kFirstValue;
  column.kind = codes <= 1U << 8    ? StoredKind::code1
                : codes <= 1U << 16 ? StoredKind::code2
                                    : StoredKind::code4;
}

// Integers with both bounds declared, whole and not too far apart.
bool has_few_integers(const BoundColumn& column) {
  constexpr double kFarthest = 1e9;
  return column.type == ColumnType::integer && column.lower >= -kFarthest &&
         column.upper <= kFarthest && column.lower <= column.upper &&
         std::trunc(column.lower) == column.lower && std::trunc(column.upper) == column.upper;
}

}  // namespace

std::size_t StoredColumn::bytes() const {
  switch (kind) {
    case StoredKind::real:
      return 8;
    case StoredKind::code1:
      return 1;
    case StoredKind::code2:
      return 2;
    case StoredKind::code4:
    case StoredKind::unit:
      return 4;
  }
  return 8;
}

void StoredColumn::encode(TypedCell cell, char* to) const {
  put_little(kind == StoredKind::real ? bits_of(cell) : code_of(cell, first, count), bytes(), to);
}

TypedCell StoredColumn::decode(const char* from) const {
  if (kind == StoredKind::real) return cell_of(get_little(from, 8));
  const std::uint64_t code =
      kind == StoredKind::code1 ? get_little(from, 1) : get_little(from, bytes());
  if (code == kMinusZero) return {-0.0};
  if (code < kFirstValue) return {0, state_of(code)};
  if (code - kFirstValue >= count) return {0, CellState::unparsable};
  return {static_cast<double>(first) + static_cast<double>(code - kFirstValue)};
}

StoredColumn stored_column(const std::string& name, const Schema& schema) {
  const BoundColumn bound = bound_column(name, 0, schema);
  StoredColumn column;
  column.name = name;
  column.declarations = declarations_of(bound, schema);
  if (bound.type == ColumnType::category) {
    choose_codes(column, 1, bound.levels.size());
  } else if (has_few_integers(bound)) {
    choose_codes(column, static_cast<std::int64_t>(bound.lower),
                 static_cast<std::uint64_t>(bound.upper - bound.lower) + 1);
  }
  return column;
}

StoredColumn stored_unit(const std::string& name, const Schema& schema) {
  std::string missing;
  for (const std::string& text : schema.missing) add_text(missing, text);
  StoredColumn column;
  column.name = name;
  column.kind = StoredKind::unit;
  column.declarations = sha256_hex(missing);
  return column;
}

}  // namespace dpvi
