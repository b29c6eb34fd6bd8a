#include <dpvi/tape/graph/reachable.hpp>

#include <algorithm>

namespace dpvi {

std::vector<NodeId> reachable_from(const Graph& graph, std::span<const NodeId> roots) {
  if (roots.empty()) return {};
  std::vector<bool> needed(std::ranges::max(roots).index + 1, false);
  for (const NodeId root : roots) needed[root.index] = true;
  // Arguments have smaller ids than their users, so one pass down the ids finds them all.
  for (std::size_t i = needed.size(); i-- > 0;) {
    if (!needed[i]) continue;
    const NodeId id{static_cast<std::uint32_t>(i)};
    for (const NodeId argument : graph[id].arguments) needed[argument.index] = true;
  }
  std::vector<NodeId> order;
  for (std::uint32_t i = 0; i < needed.size(); ++i) {
    if (needed[i]) order.push_back({i});
  }
  return order;
}

std::size_t evaluation_work(const Graph& graph, std::span<const NodeId> roots) {
  std::size_t work = 1;
  for (const NodeId id : reachable_from(graph, roots)) {
    const Node& node = graph[id];
    std::size_t own = static_cast<std::size_t>(node.length);
    if (node.op == Op::matmul) {
      own *= static_cast<std::size_t>(node.attributes[1]);
    } else if (op_class(node.op) >= OpClass::reduction) {
      own = static_cast<std::size_t>(graph.length(node.arguments[0]));
    }
    work += own;
  }
  return work;
}

NodeId unsliced(const Graph& graph, NodeId id) {
  return graph[id].op == Op::slice ? graph[id].arguments[0] : id;
}

}  // namespace dpvi
