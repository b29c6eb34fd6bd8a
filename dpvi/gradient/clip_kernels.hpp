#pragma once

#include <cstddef>
#include <cstdint>

namespace dpvi {

// Internal to the clipper: its loops over a block, written once per instruction set.
//
// A block holds the gradients of kClipLanes records, coordinate-major: lane k of coordinate j is
// block[j * kClipLanes + k]. Every lane is computed by the same operations in the same order in
// every kernel, all in double and without fused operations, so a record's integers depend neither
// on its lane, nor on its neighbours, nor on the processor.
inline constexpr std::size_t kClipLanes = 16;

struct alignas(64) LaneValues {
  double lane[kClipLanes];
};

// What one lane's entries become: (entry * prescale) * factor, moved away from zero by `half`, cut
// to an integer toward zero; 0 in a lane whose `keep` is 0, whatever stands in it.
struct alignas(64) LaneRule {
  LaneValues prescale;
  LaneValues factor;
  LaneValues half;                // 0.5 rounds to nearest, 0 truncates
  std::int32_t keep[kClipLanes];  // -1 or 0
};

// The exact sum of a lane's squared integers is high * 2^32 + low.
struct alignas(64) LaneSquares {
  std::uint64_t low[kClipLanes];
  std::uint64_t high[kClipLanes];
};

template <class T>
struct ClipKernels {
  // The largest |entry| of each lane, NaNs aside.
  LaneValues (*largest)(const T* block, std::size_t dimension);
  // Sum over coordinates of (entry * prescale)^2.
  LaneValues (*square_sums)(const T* block, std::size_t dimension, const LaneValues& prescale);
  // Writes kClipLanes * dimension integers in the layout of the block. The squares are exact for
  // any 32-bit integers and any dimension below 2^31.
  LaneSquares (*quantise)(const T* block, std::size_t dimension, const LaneRule& rule,
                          std::int32_t* integers);
  // sums[j] += the sum over lanes of coordinate j.
  void (*add_lanes)(const std::int32_t* integers, std::size_t dimension, std::int64_t* sums);
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
