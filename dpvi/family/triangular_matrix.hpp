#pragma once

#include <cstddef>
#include <vector>

namespace dpvi {

// A square lower triangular matrix. A diagonal one may be stored by its diagonal alone.
struct TriangularMatrix {
  std::size_t size = 0;
  std::vector<double> entries;  // row-major, or the diagonal

  bool is_diagonal() const { return entries.size() == size; }
  double operator()(std::size_t row, std::size_t column) const {
    if (is_diagonal()) return row == column ? entries[row] : 0.0;
    return entries[row * size + column];
  }
};

}  // namespace dpvi
