#pragma once

#include <cstdint>

#include <dpvi/tape/lane_plan.hpp>

namespace dpvi {

// Ends the reverse sweep where lanes have rows of their own: finds the coordinate of every lane in
// every such row, adds up entries of one lane that meet in a coordinate, and puts each lane's
// entries in the order of their coordinates. Lanes without a valid index have no part in the row.
// `own` takes kLanes numbers for each own row.
template <class T>
void find_own_coordinates(const LanePlan& plan, const LaneKernels<T>& kernels,
                          const Frame<T>& frame, std::int32_t* own);

}  // namespace dpvi
