#pragma once

#include <dpvi/tape/lanes/gather.hpp>
#include <dpvi/tape/lanes/reductions.hpp>

// Reverse kernels.
//
// Guarantee: a zero adjoint pulls back exactly zero, even where the derivative is infinite or NaN.
// A branch that a mask excludes, or a lane that counts as zero, therefore contributes nothing.
namespace dpvi::DPVI_LANE_NAMESPACE {

template <class T>
[[gnu::always_inline]] inline T* first_adjoint(const AdjointOperand& operand,
                                               const Frame<T>& frame) {
  return frame.adjoints[static_cast<int>(operand.where)] + operand.offset;
}

template <class T>
[[gnu::always_inline]] inline Vector<T> guarded_product(Vector<T> adjoint, Vector<T> factor) {
  return keep<T>(adjoint * factor, adjoint != T(0));
}

// The contribution of an adjoint instruction to one vector of the target, from the adjoint and up
// to two factors.
template <class T, AdjointRule kRule>
[[gnu::always_inline]] inline Vector<T> contribution(Vector<T> adjoint, Vector<T> first,
                                                     Vector<T> second) {
  switch (kRule) {
    case AdjointRule::copy:
      return adjoint;
    case AdjointRule::negate:
      return -adjoint;
    case AdjointRule::product:
      return guarded_product<T>(adjoint, first);
    case AdjointRule::scaled:
      return keep<T>(guarded_product<T>(adjoint * second, first), adjoint != T(0));
    case AdjointRule::difference:
      return guarded_product<T>(adjoint + adjoint, first - second);
    case AdjointRule::where:
      return keep<T>(adjoint, first != T(0));
    default:  // where_not
      return keep<T>(adjoint, first == T(0));
  }
}

template <class T>
[[gnu::always_inline]] inline void write_target(T* target, const Vector<T> (&sums)[kVectors<T>],
                                                bool accumulate) {
#pragma GCC unroll 16
  for (int v = 0; v < kVectors<T>; ++v) {
    T* out = target + v * kWidth<T>;
    store(out, accumulate ? load(out) + sums[v] : sums[v]);
  }
}

// The operands of an adjoint instruction, traversed entry by entry. An adjoint that serves all
// entries is loaded once.
template <class T, AdjointRule kRule, bool kUniformA, bool kUniformB, bool kOneAdjoint>
struct AdjointCursor {
  const T* adjoint;
  const T* first;
  const T* second;
  std::ptrdiff_t steps[3];
  Vector<T> one[kVectors<T>];

  AdjointCursor(const AdjointInstruction& in, const Frame<T>& frame)
      : adjoint(first_adjoint(in.adjoint, frame)),
        first(first_entry(in.factors[0], frame)),
        second(first_entry(in.factors[1], frame)),
        steps{in.adjoint.stride, in.factors[0].stride, in.factors[1].stride} {
#pragma GCC unroll 16
    for (int v = 0; v < kVectors<T>; ++v) one[v] = load(adjoint + v * kWidth<T>);
  }

  [[gnu::always_inline]] Vector<T> value(int v) const {
    constexpr bool kHasFirst = kRule != AdjointRule::copy && kRule != AdjointRule::negate;
    Vector<T> a{};
    Vector<T> b{};
    if constexpr (kHasFirst) a = load_entry<T, kUniformA>(first, v);
    if constexpr (kRule == AdjointRule::difference || kRule == AdjointRule::scaled) {
      b = load_entry<T, kUniformB>(second, v);
    }
    return contribution<T, kRule>(kOneAdjoint ? one[v] : load(adjoint + v * kWidth<T>), a, b);
  }
  // Computes a whole entry before any of it is stored. The compiler cannot know that targets and
  // operands do not alias, and would reload after each store.
  [[gnu::always_inline]] void next(Vector<T> (&values)[kVectors<T>]) {
#pragma GCC unroll 16
    for (int v = 0; v < kVectors<T>; ++v) values[v] = value(v);
    adjoint += steps[0];
    first += steps[1];
    second += steps[2];
  }
};

template <class T, AdjointRule kRule, bool kUniformA, bool kUniformB, bool kOneAdjoint>
void adjoint_kernel(const AdjointInstruction& in, const Frame<T>& frame) {
  AdjointCursor<T, kRule, kUniformA, kUniformB, kOneAdjoint> cursor(in, frame);
  T* target = first_adjoint(in.target, frame);
  const std::ptrdiff_t step = in.target.stride;
  const std::int32_t length = in.length;
  Vector<T> values[kVectors<T>];
  if (step == 0) {  // a scalar that was repeated: its uses add up
    Vector<T> sums[kVectors<T>];
    clear<T>(sums);
    for (std::int32_t i = 0; i < length; ++i) {
      cursor.next(values);
#pragma GCC unroll 16
      for (int v = 0; v < kVectors<T>; ++v) sums[v] += values[v];
    }
    write_target<T>(target, sums, in.accumulate);
  } else if (in.accumulate) {
    for (std::int32_t i = 0; i < length; ++i) {
      cursor.next(values);
#pragma GCC unroll 16
      for (int v = 0; v < kVectors<T>; ++v) {
        T* out = target + v * kWidth<T>;
        store(out, load(out) + values[v]);
      }
      target += step;
    }
  } else {
    for (std::int32_t i = 0; i < length; ++i) {
      cursor.next(values);
#pragma GCC unroll 16
      for (int v = 0; v < kVectors<T>; ++v) store(target + v * kWidth<T>, values[v]);
      target += step;
    }
  }
}

// Lanes with an invalid index gathered nothing, so they contribute nothing.
template <class T>
void scatter_kernel(const AdjointInstruction& in, const Frame<T>& frame) {
  const std::int32_t block = in.shape[2];
  const T* adjoint = first_adjoint(in.adjoint, frame);
  T* target = first_adjoint(in.target, frame);
  for (std::int32_t i = 0; i < in.indices; ++i) {
    for (int l = 0; l < kLanes; ++l) {
      const std::int32_t index = index_of_lane(in.factors[0], frame, i, l, in.shape[0]);
      if (index < 0) continue;
      const std::ptrdiff_t first = in.shape[4] + static_cast<std::ptrdiff_t>(index) * in.shape[1];
      for (std::int32_t k = 0; k < block; ++k) {
        target[(first + k * in.shape[3]) * in.target.stride + l] +=
            adjoint[(i * block + k) * static_cast<std::ptrdiff_t>(in.adjoint.stride) + l];
      }
    }
  }
}

// The guard applies to the factor, so the only dependency chain is that of the sums.
template <class T, bool kUniform>
[[gnu::always_inline]] inline void add_guarded(Vector<T> (&sums)[kVectors<T>], const T* adjoint,
                                               const T* factor) {
#pragma GCC unroll 16
  for (int v = 0; v < kVectors<T>; ++v) {
    const Vector<T> a = load(adjoint + v * kWidth<T>);
    const Vector<T> f = keep<T>(load_entry<T, kUniform>(factor, v), a != T(0));
    sums[v] = multiply_add(a, f, sums[v]);
  }
}

// Adjoint of the first matrix: the adjoint times the second matrix, transposed.
template <class T, bool kUniform>
void matmul_first_kernel(const AdjointInstruction& in, const Frame<T>& frame) {
  const std::int32_t rows = in.shape[0];
  const std::int32_t inner = in.shape[1];
  const T* adjoint = first_adjoint(in.adjoint, frame);
  const T* b = first_entry(in.factors[0], frame);
  const std::ptrdiff_t b_step = in.factors[0].stride;
  T* target = first_adjoint(in.target, frame);
  for (std::int32_t row = 0; row < rows; ++row) {
    for (std::int32_t k = 0; k < inner; ++k) {
      Vector<T> sums[kVectors<T>];
      clear<T>(sums);
      for (std::int32_t column = 0; column < in.shape[2]; ++column) {
        add_guarded<T, kUniform>(
            sums, adjoint + (column * rows + row) * static_cast<std::ptrdiff_t>(in.adjoint.stride),
            b + (column * inner + k) * b_step);
      }
      const std::ptrdiff_t entry = row * in.shape[3] + k * in.shape[4];
      write_target<T>(target + entry * in.target.stride, sums, in.accumulate);
    }
  }
}

// Adjoint of the second matrix: the first matrix, transposed, times the adjoint.
template <class T, bool kUniform>
void matmul_second_kernel(const AdjointInstruction& in, const Frame<T>& frame) {
  const std::int32_t rows = in.shape[0];
  const std::int32_t inner = in.shape[1];
  const T* adjoint = first_adjoint(in.adjoint, frame);
  const T* a = first_entry(in.factors[0], frame);
  const std::ptrdiff_t a_step = in.factors[0].stride;
  T* target = first_adjoint(in.target, frame);
  for (std::int32_t column = 0; column < in.shape[2]; ++column) {
    for (std::int32_t k = 0; k < inner; ++k) {
      Vector<T> sums[kVectors<T>];
      clear<T>(sums);
      for (std::int32_t row = 0; row < rows; ++row) {
        const std::ptrdiff_t entry = row * in.shape[3] + k * in.shape[4];
        add_guarded<T, kUniform>(
            sums, adjoint + (column * rows + row) * static_cast<std::ptrdiff_t>(in.adjoint.stride),
            a + entry * a_step);
      }
      write_target<T>(target + (column * inner + k) * static_cast<std::ptrdiff_t>(in.target.stride),
                      sums, in.accumulate);
    }
  }
}

// Multiplies the adjoint by minus the transposed inverse of a lower triangular matrix.
template <class T, bool kUniform>
void solve_back_kernel(const AdjointInstruction& in, const Frame<T>& frame) {
  const std::int32_t size = in.length;
  const T* adjoint = first_adjoint(in.adjoint, frame);
  const T* inverse = first_entry(in.factors[0], frame);
  const std::ptrdiff_t step = in.factors[0].stride;
  T* target = first_adjoint(in.target, frame);
  for (std::int32_t k = 0; k < size; ++k) {
    Vector<T> sums[kVectors<T>];
    clear<T>(sums);
    for (std::int32_t row = k; row < size; ++row) {
      add_guarded<T, kUniform>(sums, adjoint + row * static_cast<std::ptrdiff_t>(in.adjoint.stride),
                               inverse + (k * size + row) * step);
    }
#pragma GCC unroll 16
    for (int v = 0; v < kVectors<T>; ++v) store(target + k * kLanes + v * kWidth<T>, -sums[v]);
  }
}

// Ends the forward sweep. Writes the root's value and the adjoint that the reverse sweep starts
// from.
template <class T>
void finish(const Operand& root, const Frame<T>& frame, T* value, T* seed) {
  const T* from = first_entry(root, frame);
  const bool uniform = root.where == Source::uniform;
  for (int at = 0; at < kLanes; at += kWidth<T>) {
    const Vector<T> x = uniform ? repeat(*from) : load(from + at);
    store(value + at, x);
    if (seed != nullptr) store(seed + at, truth<T>(x - x == T(0)));
  }
}

}  // namespace dpvi::DPVI_LANE_NAMESPACE
