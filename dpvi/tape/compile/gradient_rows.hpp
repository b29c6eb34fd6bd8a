#pragma once

#include <cstdint>
#include <vector>

namespace dpvi {

// The rows of a block's gradient, one lane vector each. Usually a row belongs to one coordinate of
// theta in all lanes. If records select an entry of theta by an index, each lane has its own
// coordinate in the row ("own row"). Coordinates that no record can touch have no row.
struct GradientRows {
  static constexpr std::int32_t kOwn = -1;

  std::vector<std::int32_t> coordinates;  // by row, increasing; kOwn for own rows
  std::int32_t per_lane_rows = 0;

  std::int32_t size() const { return static_cast<std::int32_t>(coordinates.size()); }
};

// Consecutive rows with consecutive coordinates whose entries are products. Row first + i is the
// factor, one number per record, times column[i] - centre[i]. column[i] is a real column of the
// prepared record, and centre[i] is the same for all records of a draw. The coefficients of a
// linear predictor have such rows, and so do the means of a normal density.
struct ProductRows {
  std::int32_t first = 0;  // row
  std::int32_t count = 0;
  std::int32_t column = 0;
  std::int32_t column_step = 1;
  std::int32_t centre = kNoCentre;  // slot of the first centre in the tape's uniform values
  std::int32_t centre_step = 0;

  static constexpr std::int32_t kNoCentre = -1;
  bool has_centres() const { return centre != kNoCentre; }
};

// The coordinate of a lane that has no part in a row. Its entry there is zero.
inline constexpr std::int32_t kNoCoordinate = -1;

// Expands a gradient in rows to all coordinates of theta.
template <class T>
void spread_rows(const GradientRows& rows, const T* gradient, const std::int32_t* own, T* all,
                 std::int32_t theta_size);

}  // namespace dpvi
