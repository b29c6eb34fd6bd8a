#pragma once

#include <cstddef>
#include <cstdint>

namespace dpvi {

// Internal to the clipper: its loops over a block, with one implementation for each instruction
// set.
//
// A block holds rows of kClipLanes entries; lane k of row j is block[j * kClipLanes + k]. Each lane
// holds the gradient of one record. Every kernel computes every lane by the same operations in the
// same order. So a record's integers depend neither on its lane, nor on its neighbours, nor on the
// processor.
inline constexpr std::size_t kClipLanes = 16;

struct alignas(64) ClipValues {
  double lane[kClipLanes];
};

// The rule by which entries become integers. An entry becomes (entry * prescale) * factor, clamped
// to +-limit and rounded to the nearest integer. In a lane whose `keep` is 0 every entry becomes 0,
// whatever its value.
template <class T>
struct alignas(64) LaneRule {
  T prescale[kClipLanes];
  T factor[kClipLanes];
  std::int32_t keep[kClipLanes];       // -1 or 0
  std::int32_t shortened[kClipLanes];  // -1 unless the factor is that of an unclipped gradient
  T limit;                             // at most 2^30
  // Number of rows for which the squares of integers within the limit sum to at most 2^62.
  std::size_t rows_at_a_time;
};

// Derives a lane's factor from its norm: min(unclipped, bound / norm), or bound / (norm + floor)
// when normalising.
struct FactorRule {
  double unclipped = 0.0;
  double bound = 0.0;
  double floor = 0.0;
  bool normalise = false;
};

// In single precision the factor may be out of range, so a power of two moves from the factor to
// the prescale. Its exponent is that of the norm, clamped to these limits.
inline constexpr std::uint32_t kExponentBias = 1023;
inline constexpr std::uint32_t kLeastExponent = kExponentBias - 126;
inline constexpr std::uint32_t kLargestExponent = kExponentBias + 126;

// Saturation value of sums of squares: smaller sums are exact, and this value means "this or more".
// The largest squared bound is 2^60, so saturation never hides whether a sum exceeds it.
inline constexpr std::uint64_t kManySquares = std::uint64_t{1} << 61;

struct alignas(64) LaneSquares {
  std::uint64_t lane[kClipLanes];
};

template <class T>
struct ClipKernels {
  // The largest |entry| of each lane, ignoring NaNs.
  ClipValues (*largest)(const T* block, std::size_t rows);
  // Sum over rows of (entry * prescale)^2 in double: the sum over even rows plus that over odd
  // rows.
  ClipValues (*square_sums)(const T* block, std::size_t rows, const ClipValues& prescale);
  // Sets the lane members of a rule. A lane is kept if it is active and its square sum is finite.
  void (*set_lanes)(const ClipValues& square_sums, const ClipValues& prescale,
                    const FactorRule& factors, std::uint32_t active_lanes, LaneRule<T>& rule);
  // Writes kClipLanes * rows rounded integers in the block's layout. Returns each lane's sum of
  // squares.
  LaneSquares (*quantise)(const T* block, std::size_t rows, const LaneRule<T>& rule,
                          std::int32_t* integers);
  // Truncates toward zero in the lanes that the rule keeps; the integers of other lanes stay
  // unchanged. Returns the sum of squares of every lane.
  LaneSquares (*truncate)(const T* block, std::size_t rows, const LaneRule<T>& rule,
                          std::int32_t* integers);
  // sums[j] += the sum over lanes of row j.
  void (*add_lanes)(const std::int32_t* integers, std::size_t rows, std::int64_t* sums);
};

template <class T>
const ClipKernels<T>& baseline_clip_kernels();

// Requires a processor with AVX2 and FMA.
template <class T>
const ClipKernels<T>& avx2_clip_kernels();

// The fastest kernels for this processor.
template <class T>
const ClipKernels<T>& clip_kernels();

}  // namespace dpvi
