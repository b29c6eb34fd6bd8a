#pragma once

#include <optional>
#include <vector>

#include <dpvi/tape/compile/adjoint_writes.hpp>
#include <dpvi/tape/compile/lane_program.hpp>
#include <dpvi/tape/compile/theta_rows.hpp>
#include <dpvi/tape/reference/scalar_program.hpp>

namespace dpvi {

// A scalar root compiled for evaluation: three programs and the columns that connect them. The plan
// does not depend on the instruction set or the precision.
struct LanePlan {
  // Values that depend on the record alone. Column i of a prepared record is slot real_columns[i]
  // of this program.
  ScalarProgram data;
  std::vector<std::int32_t> real_columns;
  std::vector<std::int32_t> index_columns;

  ScalarProgram uniform;               // parameter-only values and their derivatives
  std::vector<std::int32_t> repeated;  // slots of `uniform` that short steps read

  std::vector<ShortStep> steps;  // steps of both sweeps
  std::vector<ForwardInstruction> forward;
  std::int32_t lane_numbers = 0;  // size of the lane values
  Operand root;

  std::vector<AdjointInstruction> reverse;
  std::vector<ZeroRange> zeros;
  std::int32_t adjoint_numbers = 0;            // size of the adjoints in the workspace
  std::optional<AdjointOperand> root_adjoint;  // empty if the root does not depend on theta

  // The same reverse sweep with products left in factored form.
  std::vector<AdjointInstruction> factored_reverse;
  std::vector<ProductRows> products;

  GradientRows rows;
  std::vector<OwnCoordinates> per_lane_rows;
  std::vector<OwnRowGroup> own_groups;
};

LanePlan make_lane_plan(const Graph& graph, NodeId root, std::int32_t theta_size);

}  // namespace dpvi
