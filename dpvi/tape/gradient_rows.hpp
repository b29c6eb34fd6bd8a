#pragma once

#include <cstdint>
#include <vector>

namespace dpvi {

// The rows of a block's gradient, one lane vector each. A row stands for one coordinate of theta in
// all lanes or, where records choose an entry of theta by an index, for a coordinate of each
// record's own. Coordinates that no record can touch have no row.
struct GradientRows {
  static constexpr std::int32_t kOwn = -1;

  std::vector<std::int32_t>
      coordinates;  // of each row, increasing; kOwn where each lane has its own
  std::int32_t own_rows = 0;

  std::int32_t size() const { return static_cast<std::int32_t>(coordinates.size()); }
};

// Neighbouring rows of neighbouring coordinates which are products: row first + i is a factor, one
// number of each record, times column[i] - centre[i], a real column of the prepared record less a
// number that is the same for all records of a draw. So a linear predictor's coefficients have
// them, and the means of a normal density.
struct ProductRows {
  std::int32_t first = 0;  // row
  std::int32_t count = 0;
  std::int32_t column = 0;
  std::int32_t column_step = 1;
  std::int32_t centre = kNoCentre;  // the tape's own number of the first
  std::int32_t centre_step = 0;

  static constexpr std::int32_t kNoCentre = -1;
  bool has_centres() const { return centre != kNoCentre; }
};

// A lane's coordinate in a row of which it has no part; its entry there is zero.
inline constexpr std::int32_t kNoCoordinate = -1;

// A gradient in rows as a gradient with all of theta's coordinates.
template <class T>
void spread_rows(const GradientRows& rows, const T* gradient, const std::int32_t* own, T* all,
                 std::int32_t theta_size);

}  // namespace dpvi
