#pragma once

#include <cstddef>
#include <vector>

namespace dpvi {

// The numbers of the rows of one unit in one record: for each variable its numbers in the first
// row, then in the second, and so on. The last integer is the number of rows.
struct UnitWidth {
  // The numbers of one variable in a row, from `first` on.
  struct Part {
    bool integers = false;
    std::size_t first = 0;
    std::size_t count = 0;
  };

  std::size_t reals = 0;  // of one row
  std::size_t integers = 0;
  std::size_t most_rows = 1;
  std::vector<Part> parts = {};

  std::size_t all_reals() const { return reals * most_rows; }
  std::size_t all_integers() const { return integers * most_rows + 1; }
};

}  // namespace dpvi
