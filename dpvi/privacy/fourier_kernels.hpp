#pragma once

#include <cstddef>
#include <numbers>

#include <dpvi/privacy/fourier_stage.hpp>

// The loops of a stage, in a namespace of its own for each instruction set.
namespace dpvi::DPVI_FOURIER_NAMESPACE {

// A complex number. std::complex would check every product for NaN.
struct Value {
  double re, im;
};

inline Value operator+(Value a, Value b) { return {a.re + b.re, a.im + b.im}; }
inline Value operator-(Value a, Value b) { return {a.re - b.re, a.im - b.im}; }
inline Value operator*(double a, Value b) { return {a * b.re, a * b.im}; }
inline Value operator*(Value a, Value b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
inline Value times_minus_i(Value a) { return {a.im, -a.re}; }

// Transforms of two to five values, in place.
[[gnu::always_inline]] inline void transform(Value (&a)[2]) {
  const Value sum = a[0] + a[1];
  a[1] = a[0] - a[1];
  a[0] = sum;
}

[[gnu::always_inline]] inline void transform(Value (&a)[3]) {
  constexpr double kSine = std::numbers::sqrt3 / 2;  // of 120 degrees
  const Value sum = a[1] + a[2];
  const Value turned = times_minus_i(kSine * (a[1] - a[2]));
  const Value middle = a[0] - 0.5 * sum;
  a[0] = a[0] + sum;
  a[1] = middle + turned;
  a[2] = middle - turned;
}

[[gnu::always_inline]] inline void transform(Value (&a)[4]) {
  const Value even = a[0] + a[2], even_rest = a[0] - a[2];
  const Value odd = a[1] + a[3], odd_rest = times_minus_i(a[1] - a[3]);
  a[0] = even + odd;
  a[1] = even_rest + odd_rest;
  a[2] = even - odd;
  a[3] = even_rest - odd_rest;
}

[[gnu::always_inline]] inline void transform(Value (&a)[5]) {
  // Cosines and sines of 72 and 144 degrees.
  constexpr double kCosine1 = 0.30901699437494742410, kSine1 = 0.95105651629515357212;
  constexpr double kCosine2 = -0.80901699437494742410, kSine2 = 0.58778525229247312917;
  const Value outer = a[1] + a[4], outer_rest = a[1] - a[4];
  const Value inner = a[2] + a[3], inner_rest = a[2] - a[3];
  const Value one = a[0] + kCosine1 * outer + kCosine2 * inner;
  const Value two = a[0] + kCosine2 * outer + kCosine1 * inner;
  const Value turned_one = times_minus_i(kSine1 * outer_rest + kSine2 * inner_rest);
  const Value turned_two = times_minus_i(kSine2 * outer_rest - kSine1 * inner_rest);
  a[0] = a[0] + outer + inner;
  a[1] = one + turned_one;
  a[2] = two + turned_two;
  a[3] = two - turned_two;
  a[4] = one - turned_one;
}

// The arrays do not overlap, so the processor can compute several outputs at once: of neighbouring
// transforms, or in a first stage of neighbouring blocks.
template <std::size_t kRadix>
void run(const FourierStage& stage, const FourierValues& from, const FourierValues& to) {
  const double* __restrict__ from_re = from.re;
  const double* __restrict__ from_im = from.im;
  double* __restrict__ to_re = to.re;
  double* __restrict__ to_im = to.im;
  const double* __restrict__ root_re = stage.root_re.data();
  const double* __restrict__ root_im = stage.root_im.data();
  const std::size_t blocks = stage.blocks, stride = stage.stride;
  const std::size_t step = blocks * stride;
  const auto root = [&](std::size_t block, std::size_t output) __attribute__((always_inline)) {
    const std::size_t place = (output - 1) * blocks + block;
    return Value{root_re[place], root_im[place]};
  };
  const auto compute = [&](std::size_t block, std::size_t i, const Value(&roots)[kRadix])
      __attribute__((always_inline)) {
    Value values[kRadix];
    for (std::size_t j = 0; j < kRadix; ++j) {
      const std::size_t place = i + stride * block + j * step;
      values[j] = {from_re[place], from_im[place]};
    }
    transform(values);
    for (std::size_t k = 0; k < kRadix; ++k) {
      const Value turned = k == 0 ? values[0] : values[k] * roots[k];
      const std::size_t place = i + stride * (kRadix * block + k);
      to_re[place] = turned.re;
      to_im[place] = turned.im;
    }
  };
  if (stride == 1) {
    for (std::size_t block = 0; block < blocks; ++block) {
      Value roots[kRadix] = {};
      for (std::size_t k = 1; k < kRadix; ++k) roots[k] = root(block, k);
      compute(block, 0, roots);
    }
    return;
  }
  for (std::size_t block = 0; block < blocks; ++block) {
    Value roots[kRadix] = {};
    for (std::size_t k = 1; k < kRadix; ++k) roots[k] = root(block, k);
#ifndef __clang__
#pragma GCC ivdep
#endif
    for (std::size_t i = 0; i < stride; ++i) compute(block, i, roots);
  }
}

inline void run_stage(const FourierStage& stage, const FourierValues& from,
                      const FourierValues& to) {
  switch (stage.radix) {
    case 2:
      return run<2>(stage, from, to);
    case 3:
      return run<3>(stage, from, to);
    case 4:
      return run<4>(stage, from, to);
    default:
      return run<5>(stage, from, to);
  }
}

}  // namespace dpvi::DPVI_FOURIER_NAMESPACE
