#include <dpvi/tape/lanes/per_lane_coordinates.hpp>

namespace dpvi {
namespace {

// One lane's entries of a group, indexed by row.
template <class T>
struct LaneOfGroup {
  T* entries;
  std::int32_t* coordinates;

  T& entry(std::int32_t row) const { return entries[row * kLanes]; }
  std::int32_t& coordinate(std::int32_t row) const { return coordinates[row * kLanes]; }

  // One step of an insertion sort. The rows before `row` are sorted by coordinate, inactive ones
  // last. Entries with the same coordinate are summed.
  void insert(std::int32_t row) const {
    const std::int32_t own = coordinate(row);
    const T value = entry(row);
    if (own == kNoCoordinate) return;
    coordinate(row) = kNoCoordinate;
    entry(row) = T{0};
    std::int32_t place = 0;
    while (place < row && coordinate(place) != kNoCoordinate && coordinate(place) < own) ++place;
    if (coordinate(place) == own) {
      entry(place) += value;
      return;
    }
    for (std::int32_t i = row; i > place; --i) {
      coordinate(i) = coordinate(i - 1);
      entry(i) = entry(i - 1);
    }
    coordinate(place) = own;
    entry(place) = value;
  }
};

}  // namespace

template <class T>
void find_own_coordinates(const LanePlan& plan, const LaneKernels<T>& kernels,
                          const Frame<T>& frame, std::int32_t* own) {
  T* gradient = frame.adjoints[static_cast<int>(AdjointStore::gradient)];
  for (const OwnRowGroup& group : plan.own_groups) {
    T* entries = gradient + static_cast<std::ptrdiff_t>(group.first_row) * kLanes;
    std::int32_t* coordinates = own + static_cast<std::ptrdiff_t>(group.first_own) * kLanes;
    for (std::int32_t row = 0; row < group.count; ++row) {
      kernels.own(plan.per_lane_rows[static_cast<std::size_t>(group.first_own + row)], frame.index,
                  entries + row * kLanes, coordinates + row * kLanes);
    }
    if (group.in_order) continue;
    for (int lane = 0; lane < kLanes; ++lane) {
      const LaneOfGroup<T> lane_of_group{entries + lane, coordinates + lane};
      for (std::int32_t row = 0; row < group.count; ++row) lane_of_group.insert(row);
    }
  }
}

template void find_own_coordinates(const LanePlan&, const LaneKernels<float>&, const Frame<float>&,
                                   std::int32_t*);
template void find_own_coordinates(const LanePlan&, const LaneKernels<double>&,
                                   const Frame<double>&, std::int32_t*);

}  // namespace dpvi
