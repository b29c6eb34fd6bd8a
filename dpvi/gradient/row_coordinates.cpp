#include <dpvi/gradient/row_coordinates.hpp>

#include <algorithm>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

void add_own_row(const std::int32_t* integers, const std::int32_t* own, std::int64_t* sums) {
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    if (integers[k] != 0 && own[k] != kNoCoordinate) sums[own[k]] += integers[k];
  }
}

}  // namespace

RowCoordinates::RowCoordinates(std::size_t dimension)
    : runs_{{false, dimension, 0, static_cast<std::int32_t>(dimension)}},
      rows_(dimension),
      per_lane_rows_(0) {}

RowCoordinates::RowCoordinates(const GradientRows& rows, std::size_t dimension)
    : rows_(rows.coordinates.size()), per_lane_rows_(static_cast<std::size_t>(rows.per_lane_rows)) {
  std::int32_t next = 0;  // the smallest coordinate that may come next
  for (const std::int32_t coordinate : rows.coordinates) {
    const bool own = coordinate == GradientRows::kOwn;
    if (!own && coordinate < next) {
      throw InternalError(kInternal, "The coordinates of a gradient's rows do not increase.",
                          "Report this.");
    }
    const bool continues = !runs_.empty() && runs_.back().own == own && (own || coordinate == next);
    if (!continues) {
      if (!own && !runs_.empty() && runs_.back().own) runs_.back().end = coordinate;
      runs_.push_back({own, 0, own ? next : coordinate, static_cast<std::int32_t>(dimension)});
    }
    ++runs_.back().rows;
    if (!own) next = coordinate + 1;
  }
  if (next > static_cast<std::int32_t>(dimension)) {
    throw InternalError(kInternal, "A gradient's row is beyond its coordinates.", "Report this.");
  }
}

std::uint32_t RowCoordinates::lanes_with_distinct(const std::int32_t* own) const {
  std::uint32_t distinct = (1u << kClipLanes) - 1;
  for (const Run& run : runs_) {
    if (!run.own) continue;
    std::int32_t least[kClipLanes];
    std::fill_n(least, kClipLanes, run.first);
    for (std::size_t row = 0; row < run.rows; ++row, own += kClipLanes) {
      for (std::size_t k = 0; k < kClipLanes; ++k) {
        if (own[k] == kNoCoordinate) continue;
        if (own[k] < least[k] || own[k] >= run.end) distinct &= ~(1u << k);
        least[k] = own[k] + 1;
      }
    }
  }
  return distinct;
}

template <class T>
void RowCoordinates::add(const ClipKernels<T>& kernels, const std::int32_t* integers,
                         const std::int32_t* own, std::int64_t* sums) const {
  for (const Run& run : runs_) {
    if (!run.own) {
      kernels.add_lanes(integers, run.rows, sums + run.first);
    } else {
      for (std::size_t row = 0; row < run.rows; ++row, own += kClipLanes) {
        add_own_row(integers + row * kClipLanes, own, sums);
      }
    }
    integers += run.rows * kClipLanes;
  }
}

template <class T>
void RowCoordinates::add_own(const SweptLanes& lanes, const T* block, const std::int32_t* own,
                             std::int64_t* sums) const {
  for (const Run& run : runs_) {
    for (std::size_t row = 0; run.own && row < run.rows; ++row, own += kClipLanes) {
      const T* entries = block + row * kClipLanes;
      for (std::size_t k = 0; k < kClipLanes; ++k) {
        const bool counts = (lanes.within >> k & 1u) != 0 && own[k] != kNoCoordinate;
        if (counts) sums[own[k]] += swept_integer(lanes.factor[k], entries[k]);
      }
    }
    block += run.rows * kClipLanes;
  }
}

// The rounders' bits may wrap around. Subtracting them modulo 2^64 leaves the sum of the integers.
void RowCoordinates::add_swept(const std::int64_t* parts, std::int64_t blocks,
                               std::int64_t* sums) const {
  const std::uint64_t rounders =
      static_cast<std::uint64_t>(kRounderBits) * kClipLanes * static_cast<std::uint64_t>(blocks);
  for (const Run& run : runs_) {
    for (std::size_t row = 0; row < run.rows && !run.own; ++row) {
      std::uint64_t sum = 0;
      for (std::size_t part = 0; part < kSumParts; ++part) {
        sum += static_cast<std::uint64_t>(parts[row * kSumParts + part]);
      }
      sums[static_cast<std::size_t>(run.first) + row] += static_cast<std::int64_t>(sum - rounders);
    }
    parts += run.rows * kSumParts;
  }
}

template void RowCoordinates::add(const ClipKernels<float>&, const std::int32_t*,
                                  const std::int32_t*, std::int64_t*) const;
template void RowCoordinates::add(const ClipKernels<double>&, const std::int32_t*,
                                  const std::int32_t*, std::int64_t*) const;
template void RowCoordinates::add_own(const SweptLanes&, const float*, const std::int32_t*,
                                      std::int64_t*) const;
template void RowCoordinates::add_own(const SweptLanes&, const double*, const std::int32_t*,
                                      std::int64_t*) const;

}  // namespace dpvi
