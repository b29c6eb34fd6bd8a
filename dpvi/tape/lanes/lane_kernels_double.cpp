#define DPVI_LANE_NAMESPACE lanes_baseline
#include <dpvi/tape/lanes/kernel_table.hpp>
#include <dpvi/tape/lanes/lane_kernels.hpp>

namespace dpvi {

const LaneKernels<double>& baseline_double_kernels() { return lanes_baseline::kKernels<double>; }

}  // namespace dpvi
