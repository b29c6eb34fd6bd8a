#define DPVI_LANE_NAMESPACE lanes_baseline
#include <dpvi/tape/lanes/kernel_table.hpp>
#include <dpvi/tape/lanes/lane_kernels.hpp>

namespace dpvi {

const LaneKernels<float>& baseline_float_kernels() { return lanes_baseline::kKernels<float>; }

}  // namespace dpvi
