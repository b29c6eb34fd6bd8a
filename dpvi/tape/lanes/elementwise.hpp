#pragma once

#include <dpvi/tape/lanes/math.hpp>
#include <dpvi/tape/math/scalar_functions.hpp>

// Elementwise forward kernels.
namespace dpvi::DPVI_LANE_NAMESPACE {

// One machine vector of an operand's entry: its own lanes, or one number repeated in all of them.
template <class T, bool kUniform>
[[gnu::always_inline]] inline Vector<T> load_entry(const T* entry, int vector) {
  if constexpr (kUniform) {
    return repeat(*entry);
  } else {
    return load(entry + vector * kWidth<T>);
  }
}

template <class T>
[[gnu::always_inline]] inline const T* first_entry(const Operand& operand, const Frame<T>& frame) {
  return frame.values[static_cast<int>(operand.where)] + operand.offset;
}

template <class T>
struct ValueAndPartial {
  Vector<T> value;
  Vector<T> partial;
};

template <class T>
[[gnu::always_inline]] inline Vector<T> truth(Bits<T> mask) {
  return keep<T>(repeat(T(1)), mask);
}

template <class T, Op kOp>
[[gnu::always_inline]] inline ValueAndPartial<T> evaluate_unary(Vector<T> x) {
  switch (kOp) {
    case Op::neg:
      return {-x, Vector<T>{}};
    case Op::exp:
      return {exp<T>(x), Vector<T>{}};
    case Op::log:
      return {log<T>(x), T(1) / x};
    case Op::log1p:
      return {log1p<T>(x), T(1) / (x + T(1))};
    case Op::log1m:
      return {log1p<T>(-x), T(-1) / (T(1) - x)};
    case Op::square:
      return {x * x, x + x};
    case Op::inv: {
      const Vector<T> value = T(1) / x;
      return {value, -value * value};
    }
    case Op::fabs:
      return {magnitude<T>(x), x > T(0) ? repeat(T(1)) : (x < T(0) ? repeat(T(-1)) : x)};
    case Op::inv_logit: {
      const Logistic<T> logistic(x);
      const Vector<T> value = logistic.inv_logit(x);
      return {value, value * logistic.one_minus_inv_logit(x)};
    }
    case Op::logit:
      return {log<T>(x) - log1p<T>(-x), T(1) / (x * (T(1) - x))};
    case Op::log_inv_logit: {
      const Logistic<T> logistic(x);
      return {keep<T>(x, x < T(0)) - log1p_of_fraction<T>(logistic.decay),
              logistic.one_minus_inv_logit(x)};
    }
    case Op::log1p_exp: {
      const Logistic<T> logistic(x);
      return {keep<T>(x, x > T(0)) + log1p_of_fraction<T>(logistic.decay), logistic.inv_logit(x)};
    }
    case Op::is_nan:
      return {truth<T>(x != x), Vector<T>{}};
    default:  // logical_not
      return {truth<T>(x == T(0)), Vector<T>{}};
  }
}

template <class T, Op kOp>
void unary_kernel(const ForwardInstruction& in, const Frame<T>& frame) {
  const T* x = first_entry(in.arguments[0], frame);
  T* out = frame.lane + in.out;
  T* partial = in.partials[0] < 0 ? nullptr : frame.lane + in.partials[0];
  for (std::int32_t i = 0; i < in.length; ++i) {
    for (int v = 0; v < kVectors<T>; ++v) {
      const int at = v * kWidth<T>;
      const ValueAndPartial<T> result = evaluate_unary<T, kOp>(load(x + at));
      store(out + at, result.value);
      if (partial != nullptr) store(partial + at, result.partial);
    }
    x += in.arguments[0].stride;
    out += kLanes;
    if (partial != nullptr) partial += kLanes;
  }
}

template <class T>
void sqrt_kernel(const ForwardInstruction& in, const Frame<T>& frame) {
  const T* x = first_entry(in.arguments[0], frame);
  for (std::int32_t i = 0; i < in.length; ++i) {
    T* out = frame.lane + in.out + i * kLanes;
    for (int l = 0; l < kLanes; ++l) out[l] = static_cast<T>(__builtin_sqrt(x[l]));
    if (in.partials[0] >= 0) {
      T* partial = frame.lane + in.partials[0] + i * kLanes;
      for (int l = 0; l < kLanes; ++l) partial[l] = T(0.5) / out[l];
    }
    x += in.arguments[0].stride;
  }
}

// Functions without a vector implementation, evaluated one lane after the other.
template <class T>
void scalar_unary_kernel(const ForwardInstruction& in, const Frame<T>& frame) {
  const T* x = first_entry(in.arguments[0], frame);
  for (std::int32_t i = 0; i < in.length; ++i) {
    for (int l = 0; l < kLanes; ++l) {
      const int at = i * kLanes + l;
      const double value = unary_value(in.op, x[l]);
      frame.lane[in.out + at] = static_cast<T>(value);
      if (in.partials[0] < 0) continue;
      frame.lane[in.partials[0] + at] = static_cast<T>(unary_partial(in.op, x[l], value));
    }
    x += in.arguments[0].stride;
  }
}

template <class T, Op kOp>
[[gnu::always_inline]] inline Vector<T> evaluate_binary(Vector<T> a, Vector<T> b) {
  switch (kOp) {
    case Op::add:
      return a + b;
    case Op::sub:
      return a - b;
    case Op::mul:
      return a * b;
    case Op::div:
      return a / b;
    case Op::min:
      return choose<T>((b < a) | (b != b), b, a);
    case Op::max:
      return choose<T>((b > a) | (b != b), b, a);
    case Op::lt:
      return truth<T>(a < b);
    case Op::le:
      return truth<T>(a <= b);
    case Op::eq:
      return truth<T>(a == b);
    case Op::ne:
      return truth<T>(a != b);
    case Op::logical_and:
      return truth<T>((a != T(0)) & (b != T(0)));
    default:  // logical_or
      return truth<T>((a != T(0)) | (b != T(0)));
  }
}

// The derivative with respect to argument 0 or 1, for operations that save theirs.
template <class T, Op kOp, int kArgument>
[[gnu::always_inline]] inline Vector<T> binary_partial(Vector<T> a, Vector<T> b, Vector<T> value) {
  if constexpr (kOp == Op::div) {
    return kArgument == 0 ? T(1) / b : -value / b;
  } else {
    const Bits<T> second = kOp == Op::min ? b < a : b > a;
    return truth<T>(kArgument == 0 ? ~second : second);
  }
}

template <class T, Op kOp, bool kUniformA, bool kUniformB>
void binary_kernel(const ForwardInstruction& in, const Frame<T>& frame) {
  constexpr bool kSaves = kOp == Op::div || kOp == Op::min || kOp == Op::max;
  const T* a = first_entry(in.arguments[0], frame);
  const T* b = first_entry(in.arguments[1], frame);
  const std::ptrdiff_t a_step = in.arguments[0].stride;
  const std::ptrdiff_t b_step = in.arguments[1].stride;
  T* out = frame.lane + in.out;
  T* first = in.partials[0] < 0 ? nullptr : frame.lane + in.partials[0];
  T* second = in.partials[1] < 0 ? nullptr : frame.lane + in.partials[1];
  for (std::int32_t left = in.length; left > 0; --left) {
#pragma GCC unroll 16
    for (int v = 0; v < kVectors<T>; ++v) {
      const int at = v * kWidth<T>;
      const Vector<T> x = load_entry<T, kUniformA>(a, v);
      const Vector<T> y = load_entry<T, kUniformB>(b, v);
      const Vector<T> value = evaluate_binary<T, kOp>(x, y);
      store(out + at, value);
      if constexpr (kSaves) {
        if (first != nullptr) store(first + at, binary_partial<T, kOp, 0>(x, y, value));
        if (second != nullptr) store(second + at, binary_partial<T, kOp, 1>(x, y, value));
      }
    }
    a += a_step;
    b += b_step;
    out += kLanes;
    if (first != nullptr) first += kLanes;
    if (second != nullptr) second += kLanes;
  }
}

template <class T, bool kUniformA, bool kUniformB>
void scalar_binary_kernel(const ForwardInstruction& in, const Frame<T>& frame) {
  const T* a = first_entry(in.arguments[0], frame);
  const T* b = first_entry(in.arguments[1], frame);
  for (std::int32_t i = 0; i < in.length; ++i) {
    for (int l = 0; l < kLanes; ++l) {
      const int at = i * kLanes + l;
      const double x = a[kUniformA ? 0 : l];
      const double y = b[kUniformB ? 0 : l];
      const double value = binary_value(in.op, x, y);
      frame.lane[in.out + at] = static_cast<T>(value);
      const BinaryPartials partials = binary_partials(in.op, x, y, value);
      if (in.partials[0] >= 0) frame.lane[in.partials[0] + at] = static_cast<T>(partials.first);
      if (in.partials[1] >= 0) frame.lane[in.partials[1] + at] = static_cast<T>(partials.second);
    }
    a += in.arguments[0].stride;
    b += in.arguments[1].stride;
  }
}

template <class T>
void several_kernel(const ForwardInstruction& in, const Frame<T>& frame) {
  const std::size_t count = in.op == Op::log_inc_beta ? 3 : 4;
  const T* arguments[kMaxArguments];
  for (std::size_t k = 0; k < count; ++k) arguments[k] = first_entry(in.arguments[k], frame);
  for (std::int32_t i = 0; i < in.length; ++i) {
    for (int l = 0; l < kLanes; ++l) {
      double numbers[kMaxArguments];
      for (std::size_t k = 0; k < count; ++k) {
        numbers[k] = static_cast<double>(arguments[k][(in.uniform >> k & 1U) != 0 ? 0 : l]);
      }
      const int at = i * kLanes + l;
      const SeveralResult result = several_result(in.op, {numbers, count});
      frame.lane[in.out + at] = static_cast<T>(result.value);
      for (std::size_t k = 0; k < count; ++k) {
        if (in.partials[k] < 0) continue;
        frame.lane[in.partials[k] + at] = static_cast<T>(result.partials[k]);
      }
    }
    for (std::size_t k = 0; k < count; ++k) arguments[k] += in.arguments[k].stride;
  }
}

template <class T, bool kUniformMask, bool kUniformA, bool kUniformB>
void select_kernel(const ForwardInstruction& in, const Frame<T>& frame) {
  const T* mask = first_entry(in.arguments[0], frame);
  const T* a = first_entry(in.arguments[1], frame);
  const T* b = first_entry(in.arguments[2], frame);
  for (std::int32_t i = 0; i < in.length; ++i) {
    for (int v = 0; v < kVectors<T>; ++v) {
      store(frame.lane + in.out + i * kLanes + v * kWidth<T>,
            choose<T>(load_entry<T, kUniformMask>(mask, v) != T(0), load_entry<T, kUniformA>(a, v),
                      load_entry<T, kUniformB>(b, v)));
    }
    mask += in.arguments[0].stride;
    a += in.arguments[1].stride;
    b += in.arguments[2].stride;
  }
}

// Copies one part of a pack.
template <class T, bool kUniform>
void copy_kernel(const ForwardInstruction& in, const Frame<T>& frame) {
  const T* x = first_entry(in.arguments[0], frame);
  for (std::int32_t i = 0; i < in.length; ++i) {
    for (int v = 0; v < kVectors<T>; ++v) {
      store(frame.lane + in.out + i * kLanes + v * kWidth<T>, load_entry<T, kUniform>(x, v));
    }
    x += in.arguments[0].stride;
  }
}

}  // namespace dpvi::DPVI_LANE_NAMESPACE
