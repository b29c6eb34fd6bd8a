#define DPVI_LANE_NAMESPACE lanes_portable
#include <dpvi/tape/lanes/kernel_table.hpp>
#include <dpvi/tape/lanes/lane_kernels.hpp>

namespace dpvi {

const LaneKernels<double>& portable_double_kernels() { return lanes_portable::kKernels<double>; }

}  // namespace dpvi
