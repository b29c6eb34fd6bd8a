#pragma once

#include <span>
#include <vector>

#include <dpvi/gradient/grid_clipper.hpp>
#include <tests/support/lane_block.hpp>

namespace dpvi {

// The clipped sum of one record, or an empty sum if `record` is empty.
inline ClippedSum one_record_sum(const ClipSettings& settings, const std::vector<double>& record) {
  GridClipper clipper(settings);
  if (!record.empty()) {
    ClipLanes<double> block(settings.dimension, 0.0);
    block.put(0, record);
    clipper.add(std::span<const double>(block.entries()), block.active_lanes());
  }
  return clipper.take_sum();
}

}  // namespace dpvi
