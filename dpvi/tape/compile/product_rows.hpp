#pragma once

#include <vector>

#include <dpvi/tape/compile/lane_program.hpp>
#include <dpvi/tape/compile/lane_values.hpp>

namespace dpvi {

// A reverse sweep that leaves products in factored form. The first row of each product gets the
// factor, and its other rows are not written.
struct FactoredReverse {
  std::vector<AdjointInstruction> instructions;
  std::vector<ProductRows> products;  // in increasing order of rows
};

// Finds the rows that a single instruction writes as products of an adjoint and columns of the
// record.
FactoredReverse factor_out(const std::vector<AdjointInstruction>& instructions,
                           const GradientRows& rows, LaneValues& values);

}  // namespace dpvi
