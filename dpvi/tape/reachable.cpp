#include <dpvi/tape/reachable.hpp>

#include <algorithm>

namespace dpvi {

std::vector<NodeId> reachable_from(const Graph& graph, std::span<const NodeId> roots) {
  if (roots.empty()) return {};
  std::vector<bool> needed(std::ranges::max(roots).index + 1, false);
  for (const NodeId root : roots) needed[root.index] = true;
  // Arguments have smaller ids than their users: one pass down the ids finds them all.
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

NodeId unsliced(const Graph& graph, NodeId id) {
  return graph[id].op == Op::slice ? graph[id].arguments[0] : id;
}

}  // namespace dpvi
