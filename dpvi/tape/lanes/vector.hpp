#pragma once

#include <cstdint>

#include <dpvi/tape/lanes/frame.hpp>

#ifdef __AVX2__
#include <immintrin.h>
#endif

// The kernels are compiled once per instruction set. All their code lives in a separate namespace
// per set, so that the linker cannot use one instruction set's code for the other. For the same
// reason these files call no function template or inline function from elsewhere.
#ifndef DPVI_LANE_NAMESPACE
#define DPVI_LANE_NAMESPACE lanes_portable
#endif

namespace dpvi::DPVI_LANE_NAMESPACE {

#ifdef __AVX2__
inline constexpr int kVectorBytes = 32;
#else
inline constexpr int kVectorBytes = 16;
#endif

template <class T>
struct VectorOf;

template <>
struct VectorOf<double> {
  typedef double Type __attribute__((vector_size(kVectorBytes)));
  typedef double Unaligned __attribute__((vector_size(kVectorBytes), aligned(8), may_alias));
  typedef std::int64_t Mask __attribute__((vector_size(kVectorBytes)));
  typedef std::uint64_t UnsignedBits __attribute__((vector_size(kVectorBytes)));
};

template <>
struct VectorOf<float> {
  typedef float Type __attribute__((vector_size(kVectorBytes)));
  typedef float Unaligned __attribute__((vector_size(kVectorBytes), aligned(4), may_alias));
  typedef std::int32_t Mask __attribute__((vector_size(kVectorBytes)));
  typedef std::uint32_t UnsignedBits __attribute__((vector_size(kVectorBytes)));
};

// A machine vector, and integer vectors whose elements have the same width: masks, and bits for
// arithmetic.
template <class T>
using Vector = typename VectorOf<T>::Type;
template <class T>
using Bits = typename VectorOf<T>::Mask;
template <class T>
using Unsigned = typename VectorOf<T>::UnsignedBits;

template <class T>
inline constexpr int kWidth = kVectorBytes / static_cast<int>(sizeof(T));
template <class T>
inline constexpr int kVectors = kLanes / kWidth<T>;

template <class T>
[[gnu::always_inline]] inline Vector<T> load(const T* from) {
  return *reinterpret_cast<const typename VectorOf<T>::Unaligned*>(from);
}

template <class T>
[[gnu::always_inline]] inline void store(T* to, Vector<T> value) {
  *reinterpret_cast<typename VectorOf<T>::Unaligned*>(to) = value;
}

template <class T>
[[gnu::always_inline]] inline Vector<T> repeat(T value) {
  return value - Vector<T>{};
}

// Keeps the numbers where the mask is set and gives +0 elsewhere, whatever the number.
template <class T>
[[gnu::always_inline]] inline Vector<T> keep(Vector<T> value, Bits<T> mask) {
  return reinterpret_cast<Vector<T>>(reinterpret_cast<Bits<T>>(value) & mask);
}

template <class T>
[[gnu::always_inline]] inline Vector<T> choose(Bits<T> mask, Vector<T> a, Vector<T> b) {
  return mask ? a : b;
}

// Clears the sums of one lane vector, which stay in registers. They are cleared one by one;
// otherwise the compiler would call a function that clears memory.
template <class T>
[[gnu::always_inline]] inline void clear(Vector<T> (&sums)[kVectors<T>]) {
#pragma GCC unroll 16
  for (int v = 0; v < kVectors<T>; ++v) sums[v] = Vector<T>{};
}

// a * b + c, rounded once if the instruction set has fused multiply-add, else twice.
#ifdef __FMA__
[[gnu::always_inline]] inline Vector<double> multiply_add(Vector<double> a, Vector<double> b,
                                                          Vector<double> c) {
  return _mm256_fmadd_pd(a, b, c);
}
[[gnu::always_inline]] inline Vector<float> multiply_add(Vector<float> a, Vector<float> b,
                                                         Vector<float> c) {
  return _mm256_fmadd_ps(a, b, c);
}
#else
[[gnu::always_inline]] inline Vector<double> multiply_add(Vector<double> a, Vector<double> b,
                                                          Vector<double> c) {
  return a * b + c;
}
[[gnu::always_inline]] inline Vector<float> multiply_add(Vector<float> a, Vector<float> b,
                                                         Vector<float> c) {
  return a * b + c;
}
#endif

// Clamps x from below or from above. NaN stays NaN.
#if defined(__AVX2__)
[[gnu::always_inline]] inline Vector<double> at_least(Vector<double> x, Vector<double> bound) {
  return _mm256_max_pd(bound, x);
}
[[gnu::always_inline]] inline Vector<double> at_most(Vector<double> x, Vector<double> bound) {
  return _mm256_min_pd(bound, x);
}
[[gnu::always_inline]] inline Vector<float> at_least(Vector<float> x, Vector<float> bound) {
  return _mm256_max_ps(bound, x);
}
[[gnu::always_inline]] inline Vector<float> at_most(Vector<float> x, Vector<float> bound) {
  return _mm256_min_ps(bound, x);
}
#else
[[gnu::always_inline]] inline Vector<double> at_least(Vector<double> x, Vector<double> bound) {
  return x < bound ? bound : x;
}
[[gnu::always_inline]] inline Vector<double> at_most(Vector<double> x, Vector<double> bound) {
  return x > bound ? bound : x;
}
[[gnu::always_inline]] inline Vector<float> at_least(Vector<float> x, Vector<float> bound) {
  return x < bound ? bound : x;
}
[[gnu::always_inline]] inline Vector<float> at_most(Vector<float> x, Vector<float> bound) {
  return x > bound ? bound : x;
}
#endif

template <class T>
[[gnu::always_inline]] inline Vector<T> magnitude(Vector<T> x) {
  return keep<T>(x, ~reinterpret_cast<Bits<T>>(repeat(T(-0.0))));
}

template <class T>
[[gnu::always_inline]] inline Vector<T> minus_magnitude(Vector<T> x) {
  return reinterpret_cast<Vector<T>>(reinterpret_cast<Bits<T>>(x) |
                                     reinterpret_cast<Bits<T>>(repeat(T(-0.0))));
}

}  // namespace dpvi::DPVI_LANE_NAMESPACE
