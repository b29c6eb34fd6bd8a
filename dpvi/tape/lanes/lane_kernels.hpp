#pragma once

#include <dpvi/tape/compile/lane_program.hpp>

namespace dpvi {

// The instruction sets that the kernels are built for.
enum class InstructionSet : std::uint8_t { baseline, avx2 };

bool is_available(InstructionSet set);
// The fastest instruction set of this processor. It is the same for every thread and every run on
// one machine.
InstructionSet best_instruction_set();

// T is float or double.
template <class T>
const LaneKernels<T>& lane_kernels(InstructionSet set);

const LaneKernels<float>& baseline_float_kernels();
const LaneKernels<double>& baseline_double_kernels();
const LaneKernels<float>& avx2_float_kernels();    // call only if available
const LaneKernels<double>& avx2_double_kernels();  // call only if available

}  // namespace dpvi
