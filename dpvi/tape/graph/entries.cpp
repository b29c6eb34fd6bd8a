#include <dpvi/tape/graph/entries.hpp>

namespace dpvi {

std::vector<NodeId> entries_of(GraphBuilder& builder, NodeId value) {
  const Node& node = builder.graph()[value];
  const auto parts = node.op == Op::pack ? node.arguments : std::span<const NodeId>(&value, 1);
  std::vector<NodeId> entries;
  entries.reserve(static_cast<std::size_t>(node.length));
  for (const NodeId part : parts) {
    for (std::int32_t i = 0; i < builder.length(part); ++i) {
      entries.push_back(builder.element(part, i));
    }
  }
  return entries;
}

}  // namespace dpvi
