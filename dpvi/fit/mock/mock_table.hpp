#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <dpvi/fit/mock/mock_records.hpp>

namespace dpvi {

// Formats a text as a CSV cell (RFC 4180). An empty text is quoted too, since a row with no other
// cell would look blank.
std::string csv_cell(std::string_view text);

// Formats mock records as the CSV table that the binding would read: columns under their names and
// on their own scale, categories as levels. A column used by several variables takes the value of
// the first. If there are units, the first column holds ids 1, 2, ... The number of rows of a unit
// is uniform from one to its limit.
std::string mock_csv(const Binding& binding, std::span<const MockRecord> rows,
                     const SeededGenerator& generator);

// Formats the same table piece by piece.
class MockCsv {
 public:
  // The binding must outlive this.
  MockCsv(const Binding& binding, const SeededGenerator& generator);
  ~MockCsv();

  // The line of column names.
  std::string header() const;
  // The next rows.
  std::string lines(std::span<const MockRecord> rows);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dpvi
