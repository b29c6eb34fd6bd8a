#pragma once

#include <cstdint>

#include <dpvi/tape/compile/lane_plan.hpp>
#include <dpvi/tape/lanes/lane_kernels.hpp>

namespace dpvi {

// Completes the reverse sweep for own rows. It finds the coordinate of every lane in every own row,
// sums the entries of a lane that share a coordinate, and sorts each lane's entries by coordinate.
// Lanes without a valid index have no part in the row. `own` receives kLanes numbers for each own
// row.
template <class T>
void find_own_coordinates(const LanePlan& plan, const LaneKernels<T>& kernels,
                          const Frame<T>& frame, std::int32_t* own);

}  // namespace dpvi
