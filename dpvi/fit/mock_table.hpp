#pragma once

#include <span>
#include <string>
#include <string_view>

#include <dpvi/fit/mock_records.hpp>

namespace dpvi {

// A text as a cell of a CSV file (RFC 4180); an empty text is quoted too, or a row of it alone
// would look blank.
std::string csv_cell(std::string_view text);

// Made-up records as the CSV table that the binding would read them from: columns under their
// names, on their own scale, categories by their levels. A column that several variables are made
// of has what the first of them holds. Where there are units, the first column holds ids 1, 2, ...
// of units that have from one row to as many as they may have, all equally likely.
std::string mock_csv(const Binding& binding, std::span<const MockRecord> rows,
                     const SeededGenerator& generator);

}  // namespace dpvi
