#pragma once

#include <vector>

#include <dpvi/tape/lane_program.hpp>
#include <dpvi/tape/lane_values.hpp>

namespace dpvi {

// A reverse sweep that leaves products undone: the first of their rows gets the factor, and the
// others are not written.
struct FactoredPulls {
  std::vector<PullInstruction> pulls;
  std::vector<ProductRows> products;  // rows increasing
};

// Finds the rows that one pull alone writes, as products of an adjoint with columns of the record.
FactoredPulls factor_out(const std::vector<PullInstruction>& pulls, const GradientRows& rows,
                         LaneValues& values);

}  // namespace dpvi
