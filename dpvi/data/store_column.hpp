#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <dpvi/data/column_source.hpp>
#include <dpvi/data/schema.hpp>

namespace dpvi {

// How the cells of a column are kept in a record store.
enum class StoredKind : std::uint8_t {
  real = 0,   // 8 bytes: a double; some NaNs stand for states
  code1 = 1,  // 1, 2 or 4 bytes: a state, or the position of a number among those that are declared
  code2 = 2,
  code4 = 3,
  unit = 4  // 4 bytes: the number of the unit, as in TypedBlock::units
};

// One column of a record store.
struct StoredColumn {
  std::string name;
  StoredKind kind = StoredKind::real;
  std::int64_t first = 0;   // of codes: the number with the lowest code
  std::uint64_t count = 0;  // of codes: how many numbers are declared
  // SHA-256, in hexadecimal, of the declarations that decided how texts were read: the kind of
  // column, levels, how cells are written, and the texts that mean missing.
  std::string declarations;

  bool operator==(const StoredColumn&) const = default;

  std::size_t bytes() const;
  // Writes and reads bytes() bytes, lowest first. Any bytes can be read: a code or NaN that
  // encode() never writes is an unparsable cell. Not for a unit.
  void encode(TypedCell cell, char* to) const;
  TypedCell decode(const char* from) const;
};

// The column as the schema declares it. The choice of the kind follows from declarations alone.
StoredColumn stored_column(const std::string& name, const Schema& schema);
// The column of units.
StoredColumn stored_unit(const std::string& name, const Schema& schema);

}  // namespace dpvi
