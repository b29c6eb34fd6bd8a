#pragma once

#include <span>
#include <vector>

#include <dpvi/gradient/grid_clipper.hpp>
#include <dpvi/privacy/collective.hpp>
#include <tests/support/lane_block.hpp>

namespace dpvi {

// The partial sum of one record, or of no record if `record` is empty.
inline PartialSum one_record_part(const ClipSettings& settings, const std::vector<double>& record) {
  GridClipper clipper(settings);
  if (!record.empty()) {
    ClipLanes<double> block(settings.dimension, 0.0);
    block.put(0, record);
    clipper.add(std::span<const double>(block.entries()), block.active_lanes());
  }
  return clipper.take_sum();
}

// The same, reduced.
inline ClippedSum one_record_sum(const ClipSettings& settings, const std::vector<double>& record) {
  return Collective().reduce(one_record_part(settings, record));
}

}  // namespace dpvi
