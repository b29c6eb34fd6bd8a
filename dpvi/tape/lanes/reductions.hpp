#pragma once

#include <dpvi/tape/lanes/elementwise.hpp>

// Forward kernels that combine entries: reductions and matrix products.
namespace dpvi::DPVI_LANE_NAMESPACE {

template <class T, bool kUniformA, bool kUniformB>
[[gnu::always_inline]] inline void add_products(Vector<T> (&sums)[kVectors<T>], const T* a,
                                                const T* b) {
#pragma GCC unroll 16
  for (int v = 0; v < kVectors<T>; ++v) {
    sums[v] = multiply_add(load_entry<T, kUniformA>(a, v), load_entry<T, kUniformB>(b, v), sums[v]);
  }
}

template <class T, bool kUniformA, bool kUniformB>
[[gnu::always_inline]] inline void add_squares(Vector<T> (&sums)[kVectors<T>], const T* a,
                                               const T* b) {
#pragma GCC unroll 16
  for (int v = 0; v < kVectors<T>; ++v) {
    const Vector<T> gap = load_entry<T, kUniformA>(a, v) - load_entry<T, kUniformB>(b, v);
    sums[v] = multiply_add(gap, gap, sums[v]);
  }
}

template <class T, Op kOp, bool kUniformA, bool kUniformB>
[[gnu::always_inline]] inline void add_pair(Vector<T> (&sums)[kVectors<T>], const T* a,
                                            const T* b) {
  if constexpr (kOp == Op::dot) {
    add_products<T, kUniformA, kUniformB>(sums, a, b);
  } else {
    add_squares<T, kUniformA, kUniformB>(sums, a, b);
  }
}

// The number of independent partial sums, chosen so that no addition waits for the one before. The
// partial sums and their operands use all vector registers.
template <class T>
inline constexpr int kChains = sizeof(T) == sizeof(float) ? 4 : 2;

template <class T, Op kOp, bool kUniformA, bool kUniformB>
void pair_kernel(const ForwardInstruction& in, const Frame<T>& frame) {
  const T* a = first_entry(in.arguments[0], frame);
  const T* b = first_entry(in.arguments[1], frame);
  const std::ptrdiff_t a_step = in.arguments[0].stride;
  const std::ptrdiff_t b_step = in.arguments[1].stride;
  Vector<T> sums[kChains<T>][kVectors<T>];
#pragma GCC unroll 4
  for (int chain = 0; chain < kChains<T>; ++chain) clear<T>(sums[chain]);
  std::int32_t left = in.length;
  for (; left >= kChains<T>; left -= kChains<T>) {
#pragma GCC unroll 4
    for (int chain = 0; chain < kChains<T>; ++chain) {
      add_pair<T, kOp, kUniformA, kUniformB>(sums[chain], a, b);
      a += a_step;
      b += b_step;
    }
  }
#pragma GCC unroll 4
  for (int chain = 0; chain + 1 < kChains<T>; ++chain) {
    if (chain >= left) break;
    add_pair<T, kOp, kUniformA, kUniformB>(sums[chain], a, b);
    a += a_step;
    b += b_step;
  }
#pragma GCC unroll 16
  for (int v = 0; v < kVectors<T>; ++v) {
    Vector<T> sum = sums[0][v] + sums[1][v];
    if constexpr (kChains<T> == 4) sum += sums[2][v] + sums[3][v];
    store(frame.lane + in.out + v * kWidth<T>, sum);
  }
}

template <class T>
void sum_kernel(const ForwardInstruction& in, const Frame<T>& frame) {
  const T* x = first_entry(in.arguments[0], frame);
  Vector<T> sums[kVectors<T>];
  clear<T>(sums);
  for (std::int32_t i = 0; i < in.length; ++i) {
#pragma GCC unroll 16
    for (int v = 0; v < kVectors<T>; ++v) sums[v] += load(x + v * kWidth<T>);
    x += in.arguments[0].stride;
  }
#pragma GCC unroll 16
  for (int v = 0; v < kVectors<T>; ++v) store(frame.lane + in.out + v * kWidth<T>, sums[v]);
}

// Saves softmax(x). If all entries are -inf, the shift is 0, so the result is -inf and not NaN.
template <class T>
void log_sum_exp_kernel(const ForwardInstruction& in, const Frame<T>& frame) {
  const T* x = first_entry(in.arguments[0], frame);
  T* weights = frame.lane + in.partials[0];
  const std::ptrdiff_t step = in.arguments[0].stride;
#pragma GCC unroll 16
  for (int v = 0; v < kVectors<T>; ++v) {
    const int at = v * kWidth<T>;
    Vector<T> shift = load(x + at);
    for (std::int32_t i = 1; i < in.length; ++i) {
      const Vector<T> entry = load(x + i * step + at);
      shift = choose<T>(entry > shift, entry, shift);
    }
    shift = keep<T>(shift, magnitude<T>(shift) < T(__builtin_inf()));
    Vector<T> total{};
    for (std::int32_t i = 0; i < in.length; ++i) {
      const Vector<T> term = exp<T>(load(x + i * step + at) - shift);
      store(weights + i * kLanes + at, term);
      total += term;
    }
    store(frame.lane + in.out + at, log<T>(total) + shift);
    const Vector<T> scale = T(1) / total;
    for (std::int32_t i = 0; i < in.length; ++i) {
      T* weight = weights + i * kLanes + at;
      store(weight, load(weight) * scale);
    }
  }
}

// Saves for each entry the product of all others: first those to its left, then those to its right.
template <class T>
void prod_kernel(const ForwardInstruction& in, const Frame<T>& frame) {
  const T* x = first_entry(in.arguments[0], frame);
  T* others = frame.lane + in.partials[0];
  const std::ptrdiff_t step = in.arguments[0].stride;
#pragma GCC unroll 16
  for (int v = 0; v < kVectors<T>; ++v) {
    const int at = v * kWidth<T>;
    Vector<T> product = repeat(T(1));
    for (std::int32_t i = 0; i < in.length; ++i) {
      store(others + i * kLanes + at, product);
      product *= load(x + i * step + at);
    }
    store(frame.lane + in.out + at, product);
    product = repeat(T(1));
    for (std::int32_t i = in.length - 1; i >= 0; --i) {
      T* other = others + i * kLanes + at;
      store(other, load(other) * product);
      product *= load(x + i * step + at);
    }
  }
}

// Saves which entry is the extreme one; among equal entries it is the first.
template <class T, Op kOp>
void extreme_kernel(const ForwardInstruction& in, const Frame<T>& frame) {
  constexpr Op kPairwise = kOp == Op::min_of ? Op::min : Op::max;
  const T* x = first_entry(in.arguments[0], frame);
  const std::ptrdiff_t step = in.arguments[0].stride;
#pragma GCC unroll 16
  for (int v = 0; v < kVectors<T>; ++v) {
    const int at = v * kWidth<T>;
    Vector<T> extreme = load(x + at);
    for (std::int32_t i = 1; i < in.length; ++i) {
      extreme = evaluate_binary<T, kPairwise>(extreme, load(x + i * step + at));
    }
    store(frame.lane + in.out + at, extreme);
    Bits<T> open = ~Bits<T>{};
    for (std::int32_t i = 0; i < in.length; ++i) {
      const Bits<T> taken = open & (load(x + i * step + at) == extreme);
      store(frame.lane + in.partials[0] + i * kLanes + at, truth<T>(taken));
      open &= ~taken;
    }
  }
}

template <class T, bool kUniformA, bool kUniformB>
void matmul_kernel(const ForwardInstruction& in, const Frame<T>& frame) {
  const std::int32_t rows = in.shape[0];
  const std::int32_t inner = in.shape[1];
  const T* a = first_entry(in.arguments[0], frame);
  const T* b = first_entry(in.arguments[1], frame);
  const std::ptrdiff_t a_step = in.arguments[0].stride;
  const std::ptrdiff_t b_step = in.arguments[1].stride;
  T* out = frame.lane + in.out;
  for (std::int32_t column = 0; column < in.shape[2]; ++column) {
    for (std::int32_t row = 0; row < rows; ++row) {
      Vector<T> sums[kVectors<T>];
      clear<T>(sums);
      for (std::int32_t k = 0; k < inner; ++k) {
        const std::ptrdiff_t entry = row * in.shape[3] + k * in.shape[4];
        add_products<T, kUniformA, kUniformB>(sums, a + entry * a_step,
                                              b + (column * inner + k) * b_step);
      }
#pragma GCC unroll 16
      for (int v = 0; v < kVectors<T>; ++v) store(out + v * kWidth<T>, sums[v]);
      out += kLanes;
    }
  }
}

// Multiplies a vector by a column-major lower triangular matrix, the inverse of solve_lower's
// factor.
template <class T, bool kUniformA, bool kUniformB>
void solve_lower_kernel(const ForwardInstruction& in, const Frame<T>& frame) {
  const std::int32_t size = in.length;
  const T* inverse = first_entry(in.arguments[0], frame);
  const T* b = first_entry(in.arguments[1], frame);
  const std::ptrdiff_t inverse_step = in.arguments[0].stride;
  const std::ptrdiff_t b_step = in.arguments[1].stride;
  T* out = frame.lane + in.out;
  for (std::int32_t row = 0; row < size; ++row) {
    Vector<T> sums[kVectors<T>];
    clear<T>(sums);
    for (std::int32_t k = 0; k <= row; ++k) {
      add_products<T, kUniformA, kUniformB>(sums, inverse + (k * size + row) * inverse_step,
                                            b + k * b_step);
    }
#pragma GCC unroll 16
    for (int v = 0; v < kVectors<T>; ++v) store(out + v * kWidth<T>, sums[v]);
    out += kLanes;
  }
}

}  // namespace dpvi::DPVI_LANE_NAMESPACE
