#include <dpvi/tape/lanes/lane_kernels.hpp>

#include <type_traits>

#include <dpvi/base/error.hpp>

namespace dpvi {

bool is_available(InstructionSet set) {
  if (set == InstructionSet::baseline) return true;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

InstructionSet best_instruction_set() {
  return is_available(InstructionSet::avx2) ? InstructionSet::avx2 : InstructionSet::baseline;
}

template <class T>
const LaneKernels<T>& lane_kernels(InstructionSet set) {
  if (!is_available(set)) {
    throw InternalError(kInternal, "This processor lacks the chosen instruction set.",
                        "Report this.");
  }
  const bool fast = set == InstructionSet::avx2;
  if constexpr (std::is_same_v<T, float>) {
    return fast ? avx2_float_kernels() : baseline_float_kernels();
  } else {
    return fast ? avx2_double_kernels() : baseline_double_kernels();
  }
}

template const LaneKernels<float>& lane_kernels<float>(InstructionSet);
template const LaneKernels<double>& lane_kernels<double>(InstructionSet);

}  // namespace dpvi
