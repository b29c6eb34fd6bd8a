#pragma once

#include <dpvi/tape/lanes/reverse.hpp>

// The kernel that executes a run of short steps.
namespace dpvi::DPVI_LANE_NAMESPACE {

// Applies `part` to the machine vectors of one, two or three operands.
template <class T, int kOperands, class Part>
[[gnu::always_inline]] inline Vector<T> apply_part(Part part,
                                                   const Vector<T> (&operands)[kOperands]) {
  if constexpr (kOperands == 1) {
    return part(operands[0]);
  } else if constexpr (kOperands == 2) {
    return part(operands[0], operands[1]);
  } else {
    return part(operands[0], operands[1], operands[2]);
  }
}

// Executes one step in kBlocks independent blocks. While a result is on its way to the next step,
// the processor works on the other blocks.
template <class T, int kBlocks, bool kAccumulate, int kOperands, class Part>
[[gnu::always_inline]] inline void in_blocks(const ShortStep& step, const Frame<T>& frame,
                                             Part part) {
  const T* from[kOperands];
  std::ptrdiff_t strides[kOperands];
#pragma GCC unroll 3
  for (int i = 0; i < kOperands; ++i) {
    const int where = static_cast<int>(step.operands[i].where);
    from[i] = frame.read[where] + step.operands[i].offset;
    strides[i] = frame.strides[where];
  }
  const int where = static_cast<int>(step.out.where);
  T* out = frame.written[where] + step.out.offset;
  const std::ptrdiff_t stride = frame.strides[where];
#pragma GCC unroll 1
  for (int b = 0; b < kBlocks; ++b) {
    Vector<T> results[kVectors<T>];
#pragma GCC unroll 16
    for (int v = 0; v < kVectors<T>; ++v) {
      Vector<T> operands[kOperands];
#pragma GCC unroll 3
      for (int i = 0; i < kOperands; ++i) operands[i] = load(from[i] + v * kWidth<T>);
      results[v] = apply_part<T, kOperands>(part, operands);
      if (kAccumulate) results[v] = load(out + v * kWidth<T>) + results[v];
    }
#pragma GCC unroll 16
    for (int v = 0; v < kVectors<T>; ++v) store(out + v * kWidth<T>, results[v]);
#pragma GCC unroll 3
    for (int i = 0; i < kOperands; ++i) from[i] += strides[i];
    out += stride;
  }
}

// The kernels of all step operations, for kBlocks blocks.
template <class T, int kBlocks>
struct StepKernels {
  using V = Vector<T>;

  // Forward operations write each result for the first time, so they never accumulate.
  template <int kOperands, class Part>
  [[gnu::always_inline]] static void value(const ShortStep& step, const Frame<T>& frame,
                                           Part part) {
    in_blocks<T, kBlocks, false, kOperands>(step, frame, part);
  }

  template <Op kOp>
  [[gnu::always_inline]] static void unary(const ShortStep& step, const Frame<T>& frame) {
    value<1>(step, frame, [](V x) { return evaluate_unary<T, kOp>(x).value; });
  }

  template <Op kOp>
  [[gnu::always_inline]] static void binary(const ShortStep& step, const Frame<T>& frame) {
    value<2>(step, frame, evaluate_binary<T, kOp>);
  }

  // Steps of the reverse sweep may accumulate.
  template <AdjointRule kRule>
  [[gnu::always_inline]] static void pass_back(const ShortStep& step, const Frame<T>& frame) {
    constexpr bool kOnlyAdjoint = kRule == AdjointRule::copy || kRule == AdjointRule::negate;
    constexpr int kOperands = kOnlyAdjoint ? 1 : kRule == AdjointRule::scaled ? 3 : 2;
    const auto part = [](V adjoint, auto... factors) {
      const V given[2] = {factors...};
      return contribution<T, kRule>(adjoint, given[0], given[1]);
    };
    if (step.accumulate) {
      in_blocks<T, kBlocks, true, kOperands>(step, frame, part);
    } else {
      in_blocks<T, kBlocks, false, kOperands>(step, frame, part);
    }
  }

  [[gnu::always_inline]] static void run(const ShortStep& step, const Frame<T>& frame) {
    switch (step.op) {
      case StepOp::copy:
        return pass_back<AdjointRule::copy>(step, frame);
      case StepOp::negate:
        return pass_back<AdjointRule::negate>(step, frame);
      case StepOp::exp:
        return unary<Op::exp>(step, frame);
      case StepOp::square:
        return unary<Op::square>(step, frame);
      case StepOp::logical_not:
        return unary<Op::logical_not>(step, frame);
      case StepOp::add:
        return binary<Op::add>(step, frame);
      case StepOp::sub:
        return binary<Op::sub>(step, frame);
      case StepOp::mul:
        return binary<Op::mul>(step, frame);
      case StepOp::mul_add:
        return value<3>(step, frame, [](V a, V b, V c) { return a * b + c; });
      case StepOp::mul_sub:
        return value<3>(step, frame, [](V a, V b, V c) { return a * b - c; });
      case StepOp::sub_mul:
        return value<3>(step, frame, [](V a, V b, V c) { return c - a * b; });
      case StepOp::lt:
        return binary<Op::lt>(step, frame);
      case StepOp::le:
        return binary<Op::le>(step, frame);
      case StepOp::eq:
        return binary<Op::eq>(step, frame);
      case StepOp::ne:
        return binary<Op::ne>(step, frame);
      case StepOp::logical_and:
        return binary<Op::logical_and>(step, frame);
      case StepOp::logical_or:
        return binary<Op::logical_or>(step, frame);
      case StepOp::select:
        return value<3>(step, frame,
                        [](V mask, V a, V b) { return choose<T>(mask != T(0), a, b); });
      case StepOp::product:
        return pass_back<AdjointRule::product>(step, frame);
      case StepOp::scaled:
        return pass_back<AdjointRule::scaled>(step, frame);
      case StepOp::where:
        return pass_back<AdjointRule::where>(step, frame);
      case StepOp::where_not:
        return pass_back<AdjointRule::where_not>(step, frame);
    }
  }
};

template <class T, int kBlocks>
[[gnu::noinline]] void walk_in(const StepRange& range, const Frame<T>& frame) {
  const ShortStep* step = frame.steps + range.first;
  const ShortStep* const end = step + range.count;
  for (; step != end; ++step) StepKernels<T, kBlocks>::run(*step, frame);
}

template <class T>
void walk_steps(const StepRange& range, const Frame<T>* frames, int blocks) {
  if (blocks == kStepBlocks) return walk_in<T, kStepBlocks>(range, *frames);
  for (int b = 0; b < blocks; ++b) walk_in<T, 1>(range, frames[b]);
}

}  // namespace dpvi::DPVI_LANE_NAMESPACE
