#include <dpvi/tape/compile/theta_use.hpp>

#include <dpvi/tape/compile/theta_rows.hpp>

namespace dpvi {

std::vector<bool> theta_used(const Graph& graph, NodeId root, std::int32_t theta_size) {
  std::vector<bool> used(static_cast<std::size_t>(theta_size), false);
  std::vector<bool> seen(root.index + 1u, false);
  std::vector<NodeId> open = {root};
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (seen[id.index] || !depends_on_theta(graph.space(id))) continue;
    seen[id.index] = true;
    if (const auto range = theta_range(graph, id)) {
      for (std::int32_t i = 0; i < graph.length(id); ++i) {
        used[static_cast<std::size_t>(range->first + i * range->stride)] = true;
      }
    } else {
      const auto arguments = graph[id].arguments;
      open.insert(open.end(), arguments.begin(), arguments.end());
    }
  }
  return used;
}

}  // namespace dpvi
