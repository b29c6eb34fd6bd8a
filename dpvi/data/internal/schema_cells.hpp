#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <dpvi/data/internal/schema_section.hpp>

namespace dpvi {

// Reads how cells are written: the marks of numbers and the trimming of [table].
CellFormat read_cell_format(const SchemaSection& table);

// The type of a column; a date is a real.
std::optional<ColumnType> read_column_type(const SchemaSection& column);

// Reads type = "date" with date_format and since; nullopt for other types.
std::optional<DateFormat> read_date_format(const SchemaSection& column);

// A fact of a column of dates, as days since its origin: a date, or a number of days.
std::optional<double> read_day(const SchemaSection& column, std::string_view key,
                               const DateFormat& format);

// Reads what further cell texts stand for: numbers, or levels by their codes.
std::map<std::string, double, std::less<>> read_synonyms(const SchemaSection& section,
                                                         const ColumnSchema& column);

}  // namespace dpvi
