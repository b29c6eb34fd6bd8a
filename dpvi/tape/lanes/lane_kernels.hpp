#pragma once

#include <dpvi/tape/lanes/frame.hpp>

namespace dpvi {

// The kernels of one instruction set. They compute every lane by the same operations in the same
// order, so a record's result depends neither on its lane nor on its neighbours.
template <class T>
struct LaneKernels {
  using Forward = void (*)(const ForwardInstruction&, const Frame<T>&);
  using Reverse = void (*)(const AdjointInstruction&, const Frame<T>&);
  Forward (*forward)(const ForwardInstruction& instruction);
  Reverse (*reverse)(const AdjointInstruction& instruction);
  // Executes a run of short steps in consecutive blocks.
  void (*walk)(const StepRange& steps, const Frame<T>* frames, int blocks);
  // Writes the lanes' coordinates in an own row. A lane without a valid index gets kNoCoordinate,
  // and its entry of the row becomes zero.
  void (*own)(const OwnCoordinates& row, const std::int32_t* index, T* entries, std::int32_t* own);
  // Writes the root of every lane to `value`. `seed`, unless null, is 1 where the root is finite
  // and 0 elsewhere.
  void (*finish)(const Operand& root, const Frame<T>& frame, T* value, T* seed);
};

const LaneKernels<float>& portable_float_kernels();
const LaneKernels<double>& portable_double_kernels();
// Call these only on a processor with AVX2 and FMA.
const LaneKernels<float>& avx2_float_kernels();
const LaneKernels<double>& avx2_double_kernels();

}  // namespace dpvi
