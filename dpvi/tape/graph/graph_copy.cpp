#include <dpvi/tape/graph/graph_copy.hpp>

#include <algorithm>
#include <map>

namespace dpvi {
namespace {

class Copier {
 public:
  Copier(const Graph& source, Graph& target, const NodeReplacement& replacement)
      : source_(source), target_(target), replacement_(replacement) {}

  NodeId copy(NodeId root) {
    std::vector<NodeId> open = {root};
    while (!open.empty()) {
      const NodeId id = open.back();
      if (copies_.contains(id)) {
        open.pop_back();
        continue;
      }
      if (const auto other = replacement_ ? replacement_(id) : std::nullopt) {
        copies_.emplace(id, *other);
        continue;
      }
      bool ready = true;
      for (const NodeId argument : source_[id].arguments) {
        if (copies_.contains(argument)) continue;
        ready = false;
        open.push_back(argument);
      }
      if (ready) copies_.emplace(id, copy_of(source_[id]));
    }
    return copies_.at(root);
  }

 private:
  NodeId copy_of(const Node& node) {
    std::vector<NodeId> arguments;
    for (const NodeId argument : node.arguments) arguments.push_back(copies_.at(argument));
    // Builders order the arguments of such operations by their ids, which differ between graphs.
    if (is_commutative(node.op)) std::ranges::sort(arguments);
    return target_.intern(node.op, node.length, arguments, node.attributes, node.values);
  }

  const Graph& source_;
  Graph& target_;
  const NodeReplacement& replacement_;
  std::map<NodeId, NodeId> copies_;
};

}  // namespace

std::vector<NodeId> copy_graph(const Graph& source, std::span<const NodeId> roots, Graph& target,
                               const NodeReplacement& replacement) {
  Copier copier(source, target, replacement);
  std::vector<NodeId> copies;
  for (const NodeId root : roots) copies.push_back(copier.copy(root));
  return copies;
}

}  // namespace dpvi
