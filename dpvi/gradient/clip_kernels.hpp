#pragma once

#include <cstddef>
#include <cstdint>

namespace dpvi {

// Internal to the clipper: its loops over a block, written once per instruction set.
//
// A block holds rows of kClipLanes entries, lane k of row j at block[j * kClipLanes + k]; what one
// lane holds is the gradient of one record. Every lane is computed by the same operations in the
// same order in every kernel, so a record's integers depend neither on its lane, nor on its
// neighbours, nor on the processor.
inline constexpr std::size_t kClipLanes = 16;

struct alignas(64) ClipValues {
  double lane[kClipLanes];
};

// What one lane's entries become: (entry * prescale) * factor, held within +-limit, rounded to the
// nearest integer; 0 in a lane whose `keep` is 0, whatever stands in it.
template <class T>
struct alignas(64) LaneRule {
  T prescale[kClipLanes];
  T factor[kClipLanes];
  std::int32_t keep[kClipLanes];       // -1 or 0
  std::int32_t shortened[kClipLanes];  // -1 where the factor is less than that of a short gradient
  T limit;                             // at most 2^30
  // The squares of so many integers within the limit sum to at most 2^62.
  std::size_t rows_at_a_time;
};

// How a lane's factor follows from its norm: min(unclipped, bound / norm), or, to normalise,
// bound / (norm + floor).
struct FactorRule {
  double unclipped = 0.0;
  double bound = 0.0;
  double floor = 0.0;
  bool normalise = false;
};

// In single precision a factor may be out of range: then a power of two, taken from the norm within
// these exponents, moves from factor to prescale.
inline constexpr std::uint32_t kExponentBias = 1023;
inline constexpr std::uint32_t kLeastExponent = kExponentBias - 126;
inline constexpr std::uint32_t kLargestExponent = kExponentBias + 126;

// A sum of squares below this is exact; this stands for itself and for everything above. No bound
// comes near it: the largest is 2^60.
inline constexpr std::uint64_t kManySquares = std::uint64_t{1} << 61;

struct alignas(64) LaneSquares {
  std::uint64_t lane[kClipLanes];
};

template <class T>
struct ClipKernels {
  // The largest |entry| of each lane, NaNs aside.
  ClipValues (*largest)(const T* block, std::size_t rows);
  // Sum over rows of (entry * prescale)^2, in double; even rows, plus odd rows.
  ClipValues (*square_sums)(const T* block, std::size_t rows, const ClipValues& prescale);
  // Fills in the lanes of a rule. Those that are not active, or whose square sum is not finite, are
  // not kept.
  void (*set_lanes)(const ClipValues& square_sums, const ClipValues& prescale,
                    const FactorRule& factors, std::uint32_t active_lanes, LaneRule<T>& rule);
  // Writes kClipLanes * rows integers in the layout of the block.
  LaneSquares (*quantise)(const T* block, std::size_t rows, const LaneRule<T>& rule,
                          std::int32_t* integers);
  // Truncates toward zero the lanes that the rule keeps; the integers of the others stay as they
  // are. The squares are those of all lanes.
  LaneSquares (*truncate)(const T* block, std::size_t rows, const LaneRule<T>& rule,
                          std::int32_t* integers);
  // sums[j] += the sum over lanes of row j.
  void (*add_lanes)(const std::int32_t* integers, std::size_t rows, std::int64_t* sums);
};

template <class T>
const ClipKernels<T>& baseline_clip_kernels();

// Only for a processor that has AVX2 and FMA.
template <class T>
const ClipKernels<T>& avx2_clip_kernels();

// The fastest for this processor.
template <class T>
const ClipKernels<T>& clip_kernels();

}  // namespace dpvi
