#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include <dpvi/random/internal/bernoulli_lanes.hpp>
#include <dpvi/random/internal/geometric_gap.hpp>

namespace dpvi {

struct RecordRange {
  std::uint64_t begin;
  std::uint64_t end;
};

// Guarantee: both ways of selecting records give every subset its probability. They differ in cost.

inline void append_all(RecordRange range, std::vector<std::uint64_t>& records) {
  for (std::uint64_t record = range.begin; record < range.end; ++record) records.push_back(record);
}

// Costs a small fixed amount for each record.
template <WordSource Source>
void append_by_lanes(Source& source, SamplingRate rate, RecordRange range,
                     std::vector<std::uint64_t>& records) {
  for (std::uint64_t first = range.begin; first < range.end; first += 64) {
    const std::uint64_t in_range = range.end - first;
    std::uint64_t selected = bernoulli_lanes(source, rate);
    if (in_range < 64) selected &= (std::uint64_t{1} << in_range) - 1;
    for (; selected != 0; selected &= selected - 1) {
      records.push_back(first + static_cast<std::uint64_t>(std::countr_zero(selected)));
    }
  }
}

// Costs more for each selected record and nothing for the others.
template <WordSource Source>
void append_by_skipping(Source& source, SamplingRate rate, RecordRange range,
                        std::vector<std::uint64_t>& records) {
  const GeometricGap gap(rate);
  for (std::uint64_t record = range.begin; record < range.end; ++record) {
    record += gap.draw(source, range.end - record);
    if (record < range.end) records.push_back(record);
  }
}

// The rate, which is public, decides the method. The break-even rate was measured.
inline constexpr double kSkipBelowRate = 0.02;

template <WordSource Source>
void append_selected(Source& source, SamplingRate rate, RecordRange range,
                     std::vector<std::uint64_t>& records) {
  if (rate.selects_all()) {
    append_all(range, records);
  } else if (rate.value() < kSkipBelowRate) {
    append_by_skipping(source, rate, range, records);
  } else {
    append_by_lanes(source, rate, range, records);
  }
}

}  // namespace dpvi
