#include <dpvi/tape/lane_kernels.hpp>

#include <dpvi/base/error.hpp>

namespace dpvi {

bool is_available(InstructionSet set) {
  if (set == InstructionSet::baseline) return true;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

InstructionSet best_instruction_set() {
  return is_available(InstructionSet::avx2) ? InstructionSet::avx2 : InstructionSet::baseline;
}

const LaneKernels<double>& double_kernels(InstructionSet set) {
  if (!is_available(set)) {
    throw InternalError(kInternal, "This processor lacks the chosen instruction set.",
                        "Report this.");
  }
  return set == InstructionSet::avx2 ? avx2_double_kernels() : baseline_double_kernels();
}

}  // namespace dpvi
