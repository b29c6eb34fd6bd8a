#pragma once

#include <dpvi/tape/lanes/reverse.hpp>

// The kernel that walks a run of short steps.
namespace dpvi::DPVI_LANE_NAMESPACE {

// One lane vector in registers.
template <class T>
struct LaneVector {
  Vector<T> parts[kVectors<T>];
};

template <class T>
[[gnu::always_inline]] inline LaneVector<T> load_lanes(const T* from) {
  LaneVector<T> result;
#pragma GCC unroll 16
  for (int v = 0; v < kVectors<T>; ++v) result.parts[v] = load(from + v * kWidth<T>);
  return result;
}

// `part` applied to each machine vector.
template <class T, class Part>
[[gnu::always_inline]] inline LaneVector<T> by_part(Part part, const LaneVector<T>& a) {
  LaneVector<T> result;
#pragma GCC unroll 16
  for (int v = 0; v < kVectors<T>; ++v) result.parts[v] = part(a.parts[v]);
  return result;
}

template <class T, class Part>
[[gnu::always_inline]] inline LaneVector<T> by_part(Part part, const LaneVector<T>& a,
                                                    const LaneVector<T>& b) {
  LaneVector<T> result;
#pragma GCC unroll 16
  for (int v = 0; v < kVectors<T>; ++v) result.parts[v] = part(a.parts[v], b.parts[v]);
  return result;
}

template <class T, class Part>
[[gnu::always_inline]] inline LaneVector<T> by_part(Part part, const LaneVector<T>& a,
                                                    const LaneVector<T>& b,
                                                    const LaneVector<T>& c) {
  LaneVector<T> result;
#pragma GCC unroll 16
  for (int v = 0; v < kVectors<T>; ++v) result.parts[v] = part(a.parts[v], b.parts[v], c.parts[v]);
  return result;
}

template <class T, Op kOp>
[[gnu::always_inline]] inline LaneVector<T> binary_lanes(const LaneVector<T>& a,
                                                         const LaneVector<T>& b) {
  return by_part<T>([](Vector<T> x, Vector<T> y) { return evaluate_binary<T, kOp>(x, y); }, a, b);
}

template <class T, Op kOp>
[[gnu::always_inline]] inline LaneVector<T> unary_lanes(const LaneVector<T>& a) {
  return by_part<T>([](Vector<T> x) { return evaluate_unary<T, kOp>(x).value; }, a);
}

template <class T, Pull kPull>
[[gnu::always_inline]] inline LaneVector<T> pull_lanes(const LaneVector<T>& adjoint,
                                                       const LaneVector<T>& factor) {
  return by_part<T>(
      [](Vector<T> x, Vector<T> y) { return contribution<T, kPull>(x, y, Vector<T>{}); }, adjoint,
      factor);
}

template <class T>
[[gnu::always_inline]] inline LaneVector<T> evaluate_step(const ShortStep& step,
                                                          const Frame<T>& frame) {
  const auto operand = [&](int i) __attribute__((always_inline)) {
    return load_lanes(frame.read[static_cast<int>(step.operands[i].where)] +
                      step.operands[i].offset);
  };
  switch (step.op) {
    case StepOp::copy:
      return operand(0);
    case StepOp::negate:
      return unary_lanes<T, Op::neg>(operand(0));
    case StepOp::exp:
      return unary_lanes<T, Op::exp>(operand(0));
    case StepOp::square:
      return unary_lanes<T, Op::square>(operand(0));
    case StepOp::logical_not:
      return unary_lanes<T, Op::logical_not>(operand(0));
    case StepOp::add:
      return binary_lanes<T, Op::add>(operand(0), operand(1));
    case StepOp::sub:
      return binary_lanes<T, Op::sub>(operand(0), operand(1));
    case StepOp::mul:
      return binary_lanes<T, Op::mul>(operand(0), operand(1));
    case StepOp::mul_add:
      return binary_lanes<T, Op::add>(binary_lanes<T, Op::mul>(operand(0), operand(1)), operand(2));
    case StepOp::mul_sub:
      return binary_lanes<T, Op::sub>(binary_lanes<T, Op::mul>(operand(0), operand(1)), operand(2));
    case StepOp::sub_mul:
      return binary_lanes<T, Op::sub>(operand(2), binary_lanes<T, Op::mul>(operand(0), operand(1)));
    case StepOp::lt:
      return binary_lanes<T, Op::lt>(operand(0), operand(1));
    case StepOp::le:
      return binary_lanes<T, Op::le>(operand(0), operand(1));
    case StepOp::eq:
      return binary_lanes<T, Op::eq>(operand(0), operand(1));
    case StepOp::ne:
      return binary_lanes<T, Op::ne>(operand(0), operand(1));
    case StepOp::logical_and:
      return binary_lanes<T, Op::logical_and>(operand(0), operand(1));
    case StepOp::logical_or:
      return binary_lanes<T, Op::logical_or>(operand(0), operand(1));
    case StepOp::select:
      return by_part<T>(
          [](Vector<T> mask, Vector<T> a, Vector<T> b) { return choose<T>(mask != T(0), a, b); },
          operand(0), operand(1), operand(2));
    case StepOp::product:
      return pull_lanes<T, Pull::product>(operand(0), operand(1));
    case StepOp::scaled:
      return by_part<T>(contribution<T, Pull::scaled>, operand(0), operand(1), operand(2));
    case StepOp::where:
      return pull_lanes<T, Pull::where>(operand(0), operand(1));
    default:  // where_not
      return pull_lanes<T, Pull::where_not>(operand(0), operand(1));
  }
}

template <class T, class Instruction>
void run_of_steps(const Instruction& in, const Frame<T>& frame) {
  const ShortStep* step = frame.steps + in.steps.first;
  const ShortStep* const end = step + in.steps.count;
  for (; step != end; ++step) {
    LaneVector<T> result = evaluate_step(*step, frame);
    T* out = frame.written[static_cast<int>(step->out.where)] + step->out.offset;
    if (step->accumulate) result = binary_lanes<T, Op::add>(load_lanes<T>(out), result);
#pragma GCC unroll 16
    for (int v = 0; v < kVectors<T>; ++v) store(out + v * kWidth<T>, result.parts[v]);
  }
}

}  // namespace dpvi::DPVI_LANE_NAMESPACE
