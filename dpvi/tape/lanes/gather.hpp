#pragma once

#include <dpvi/tape/lanes/elementwise.hpp>

// Gathers: entries that each record selects by an index.
namespace dpvi::DPVI_LANE_NAMESPACE {

// The index that a lane holds, or -1 if it is not an integer in [0, extent).
template <class T>
[[gnu::always_inline]] inline std::int32_t index_of_lane(const Operand& operand,
                                                         const Frame<T>& frame, std::int32_t i,
                                                         int lane, std::int32_t extent) {
  const std::int32_t at = operand.offset + i * operand.stride;
  if (operand.where == Source::index) {
    const std::int32_t index = frame.index[at + lane];
    return index >= 0 && index < extent ? index : -1;
  }
  const bool uniform = operand.where == Source::uniform;
  const T value = frame.values[static_cast<int>(operand.where)][at + (uniform ? 0 : lane)];
  if (!(value >= T(0) && value < static_cast<T>(extent))) return -1;
  const auto index = static_cast<std::int32_t>(value);
  return static_cast<T>(index) == value ? index : -1;
}

// A vector of as many indices as a machine vector has numbers.
template <class T>
struct IndicesOf {
  typedef std::int32_t Type
      __attribute__((vector_size(kWidth<T> * sizeof(std::int32_t)), may_alias, aligned(4)));
};
template <class T>
using Indices = typename IndicesOf<T>::Type;

#ifdef __AVX2__
// from[at] where valid, else NaN. Nothing is read where it is not valid.
[[gnu::always_inline]] inline Vector<float> take(const float* from, Indices<float> at,
                                                 Indices<float> valid) {
  return _mm256_mask_i32gather_ps(repeat(__builtin_nanf("")), from, reinterpret_cast<__m256i>(at),
                                  reinterpret_cast<__m256>(valid), sizeof(float));
}
[[gnu::always_inline]] inline Vector<double> take(const double* from, Indices<double> at,
                                                  Indices<double> valid) {
  const __m256i wide = _mm256_cvtepi32_epi64(reinterpret_cast<__m128i>(valid));
  return _mm256_mask_i32gather_pd(repeat(__builtin_nan("")), from, reinterpret_cast<__m128i>(at),
                                  reinterpret_cast<__m256d>(wide), sizeof(double));
}

// Gathers single entries of parameters by an index column, one machine vector at a time. Results
// stored lane by lane would be slow to load as a vector.
template <class T>
void take_single_entries(const ForwardInstruction& in, const Frame<T>& frame) {
  const T* x = first_entry(in.arguments[0], frame) +
               static_cast<std::ptrdiff_t>(in.shape[4]) * in.arguments[0].stride;
  const std::int32_t step = in.shape[1] * in.arguments[0].stride;
  for (std::int32_t i = 0; i < in.indices; ++i) {
    const std::int32_t* index = frame.index + in.arguments[1].offset + i * in.arguments[1].stride;
    T* out = frame.lane + in.out + i * kLanes;
    for (int at = 0; at < kLanes; at += kWidth<T>) {
      const Indices<T> own = *reinterpret_cast<const Indices<T>*>(index + at);
      const Indices<T> valid = (own >= 0) & (own < in.shape[0]);
      store(out + at, take(x, (own & valid) * step, valid));
    }
  }
}
#endif

template <class T>
void own_row(const OwnCoordinates& row, const std::int32_t* index, T* entries, std::int32_t* own) {
  for (int at = 0; at < kLanes; at += kWidth<T>) {
    const auto number = *reinterpret_cast<const Indices<T>*>(index + row.index_offset + at);
    const Indices<T> valid = (number >= 0) & (number < row.extent);
    const Indices<T> place = row.base + (number & valid) * row.step;
    *reinterpret_cast<Indices<T>*>(own + at) = valid ? place : place * 0 + kNoCoordinate;
    store(entries + at, keep<T>(load(entries + at), __builtin_convertvector(valid, Bits<T>)));
  }
}

template <class T, bool kUniform>
void gather_kernel(const ForwardInstruction& in, const Frame<T>& frame) {
  const std::int32_t extent = in.shape[0];
  const std::int32_t block = in.shape[2];
#ifdef __AVX2__
  if (kUniform && block == 1 && in.arguments[1].where == Source::index) {
    take_single_entries(in, frame);
    return;
  }
#endif
  const T* x = first_entry(in.arguments[0], frame);
  const std::ptrdiff_t step = in.arguments[0].stride;
  for (std::int32_t i = 0; i < in.indices; ++i) {
    for (int l = 0; l < kLanes; ++l) {
      const std::int32_t index = index_of_lane(in.arguments[1], frame, i, l, extent);
      T* out = frame.lane + in.out + i * block * kLanes + l;
      const std::ptrdiff_t first = in.shape[4] + static_cast<std::ptrdiff_t>(index) * in.shape[1];
      for (std::int32_t k = 0; k < block; ++k) {
        const std::ptrdiff_t at = (first + k * in.shape[3]) * step + (kUniform ? 0 : l);
        out[k * kLanes] = index < 0 ? T(__builtin_nan("")) : x[at];
      }
    }
  }
}

}  // namespace dpvi::DPVI_LANE_NAMESPACE
