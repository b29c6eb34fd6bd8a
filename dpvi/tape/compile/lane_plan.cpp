#include <dpvi/tape/compile/lane_plan.hpp>

#include <dpvi/base/error.hpp>
#include <dpvi/tape/compile/lane_adjoints.hpp>
#include <dpvi/tape/compile/lane_values.hpp>
#include <dpvi/tape/compile/product_rows.hpp>
#include <dpvi/tape/compile/short_steps.hpp>
#include <dpvi/tape/graph/reachable.hpp>

namespace dpvi {
namespace {

std::vector<OwnCoordinates> per_lane_coordinates(const ThetaRows& rows, const LaneValues& values) {
  std::vector<OwnCoordinates> result;
  for (const OwnRow& row : rows.per_lane_rows()) {
    const Operand index = values.index_operand(row.index);
    result.push_back(
        {index.offset + row.index_entry * index.stride, row.extent, row.base, row.step});
  }
  return result;
}

}  // namespace

LanePlan make_lane_plan(const Graph& graph, NodeId root, std::int32_t theta_size) {
  if (graph.length(root) != 1) {
    throw InternalError(kInternal, "A tape's root must be a scalar.", "Report this.");
  }
  const std::vector<NodeId> nodes = reachable_from(graph, std::span(&root, 1));
  LaneValues values(graph, root, nodes);
  if (values.uniform().inputs(Op::theta) > theta_size) {
    throw InternalError(kInternal, "The tape reads parameters beyond theta.", "Report this.");
  }
  const ThetaRows rows(graph, root, nodes, theta_size);
  LaneAdjoints adjoints(graph, rows, values);
  adjoints.plan(root, nodes);  // requests derivatives, so the values are complete only now
  const FactoredReverse factored = factor_out(adjoints.instructions(), rows.rows(), values);
  const std::set<std::int32_t> read_once = values.products_read_once();
  ShortSteps steps(read_once);
  const std::vector<ForwardInstruction> forward = steps.shortened(values.instructions());
  const std::vector<AdjointInstruction> reverse = steps.shortened(adjoints.instructions());
  const std::vector<AdjointInstruction> factored_reverse = steps.shortened(factored.instructions);
  return {values.columns().program(),
          values.columns().real_columns(),
          values.columns().index_columns(),
          values.uniform(),
          steps.repeated(),
          steps.steps(),
          forward,
          values.lane_numbers(),
          values.operand(root),
          reverse,
          adjoints.zeros(),
          adjoints.adjoint_numbers(),
          adjoints.root_adjoint(),
          factored_reverse,
          factored.products,
          rows.rows(),
          per_lane_coordinates(rows, values),
          rows.groups()};
}

}  // namespace dpvi
