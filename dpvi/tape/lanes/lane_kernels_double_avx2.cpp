#define DPVI_LANE_NAMESPACE lanes_avx2
#include <dpvi/tape/lanes/kernel_table.hpp>
#include <dpvi/tape/lanes/lane_kernels.hpp>

namespace dpvi {

const LaneKernels<double>& avx2_double_kernels() { return lanes_avx2::kKernels<double>; }

}  // namespace dpvi
