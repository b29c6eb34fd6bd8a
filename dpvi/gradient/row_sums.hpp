#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <dpvi/data/record_table.hpp>
#include <dpvi/tape/compile/gradient_rows.hpp>

// Internal to record gradients: sums the contributions of a record's rows, with one record in each
// lane. No lane's sum depends on the contents of another lane.

namespace dpvi {

// Calls each(rows) with the first row of every record, then with the second, and so on. The lane of
// a record that has no more rows is empty.
template <class EachRow>
void for_each_row(const RecordTable& table, std::span<const std::uint64_t> records,
                  const EachRow& each) {
  if (table.rows_are_records()) return each(records);
  RecordTable::Rows left[RecordTable::kLanes];
  std::uint64_t longest = 0;
  for (std::size_t lane = 0; lane < records.size(); ++lane) {
    left[lane] = table.rows_of(records[lane]);
    longest = std::max(longest, left[lane].end - left[lane].first);
  }
  std::uint64_t rows[RecordTable::kLanes];
  for (std::uint64_t place = 0; place < longest; ++place) {
    for (std::size_t lane = 0; lane < records.size(); ++lane) {
      rows[lane] = left[lane].first < left[lane].end ? left[lane].first++ : RecordTable::kNoRow;
    }
    each(std::span<const std::uint64_t>(rows, records.size()));
  }
}

// Adds a gradient in rows to one over all coordinates, in the given lanes. The contents of other
// lanes do not matter.
template <class T>
void add_rows(const GradientRows& rows, const T* gradient, const std::int32_t* own,
              std::uint32_t lanes, T* all) {
  bool counts[RecordTable::kLanes];
  for (std::size_t lane = 0; lane < RecordTable::kLanes; ++lane)
    counts[lane] = (lanes >> lane & 1u) != 0;
  for (const std::int32_t coordinate : rows.coordinates) {
    if (coordinate != GradientRows::kOwn) {
      T* sum = all + static_cast<std::size_t>(coordinate) * RecordTable::kLanes;
      for (std::size_t lane = 0; lane < RecordTable::kLanes; ++lane) {
        sum[lane] += counts[lane] ? gradient[lane] : T{0};
      }
    } else {
      for (std::size_t lane = 0; lane < RecordTable::kLanes; ++lane) {
        if (!counts[lane] || own[lane] == kNoCoordinate) continue;
        all[static_cast<std::size_t>(own[lane]) * RecordTable::kLanes + lane] += gradient[lane];
      }
      own += RecordTable::kLanes;
    }
    gradient += RecordTable::kLanes;
  }
}

// The lanes in which every entry is finite.
template <class T>
std::uint32_t lanes_of_finite(const T* gradient, std::size_t size) {
  T difference[RecordTable::kLanes] = {};  // zero, or NaN once an entry is not finite
  for (const T* row = gradient; row != gradient + size; row += RecordTable::kLanes) {
    for (std::size_t lane = 0; lane < RecordTable::kLanes; ++lane)
      difference[lane] += row[lane] - row[lane];
  }
  std::uint32_t finite = 0;
  for (std::size_t lane = 0; lane < RecordTable::kLanes; ++lane) {
    finite |= (difference[lane] == T{0} ? 1u : 0u) << lane;
  }
  return finite;
}

}  // namespace dpvi
