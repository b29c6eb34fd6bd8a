#define DPVI_LANE_NAMESPACE lanes_baseline
#include <dpvi/tape/lane_kernels.hpp>
#include <dpvi/tape/lanes/kernel_table.hpp>

namespace dpvi {

const LaneKernels<float>& baseline_float_kernels() { return lanes_baseline::kKernels<float>; }

}  // namespace dpvi
