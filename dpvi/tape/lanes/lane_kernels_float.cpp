#define DPVI_LANE_NAMESPACE lanes_portable
#include <dpvi/tape/lanes/kernel_table.hpp>
#include <dpvi/tape/lanes/lane_kernels.hpp>

namespace dpvi {

const LaneKernels<float>& portable_float_kernels() { return lanes_portable::kKernels<float>; }

}  // namespace dpvi
