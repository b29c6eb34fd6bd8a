#include <dpvi/stan/prove/branch_coverage.hpp>

#include <array>

#include <dpvi/tape/graph/reachable.hpp>

namespace dpvi {

BranchCoverage::BranchCoverage(GraphBuilder& builder, NodeId root) : graph_(builder.graph()) {
  std::vector<NodeId> conditions;
  for (const NodeId id : reachable_from(graph_, std::array{root})) {
    const Node& node = graph_[id];
    if (node.op >= Op::lt && node.op <= Op::logical_or) conditions.push_back(id);
    if (node.op == Op::min || node.op == Op::max) {
      conditions.push_back(builder.binary(Op::lt, node.arguments[0], node.arguments[1]));
    }
  }
  has_conditions_ = !conditions.empty();
  conditions_ = has_conditions_ ? builder.pack(conditions) : builder.constant(0.0);
}

bool BranchCoverage::is_new(const std::vector<double>& theta, const ProgramRecord& record) {
  const MockColumns columns(record);
  const std::vector<double> values = reference_values(graph_, conditions_, theta, columns.values());
  bool found = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    found = seen_.insert({i, values[i] != 0.0}).second || found;
  }
  return found;
}

}  // namespace dpvi
