#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

#include <dpvi/tape/math/op.hpp>

namespace dpvi {

// The set of inputs that a value depends on. A constant depends on none, a `uniform` value on
// parameters, a `data` value on the record, and a `lane` value on both. A node's space is the union
// of its arguments' spaces.
enum class Space : std::uint8_t { constant = 0, uniform = 1, data = 2, lane = 3 };

constexpr Space operator|(Space a, Space b) {
  return static_cast<Space>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool depends_on_theta(Space space) { return (static_cast<unsigned>(space) & 1U) != 0; }
constexpr bool depends_on_record(Space space) { return (static_cast<unsigned>(space) & 2U) != 0; }

struct NodeId {
  std::uint32_t index = 0;
  friend constexpr auto operator<=>(NodeId, NodeId) = default;
};

// Static integers of a node. Their meaning depends on the operation (graph_builder.hpp).
using Attributes = std::array<std::int32_t, 5>;

// One node: a flat vector of `length` numbers (a scalar has length 1).
struct Node {
  Op op = Op::constant;
  Space space = Space::constant;
  std::int32_t length = 1;
  std::span<const NodeId> arguments;
  Attributes attributes{};
  std::span<const double> values;  // constants only
};

// A directed acyclic graph with unique nodes: the same operation on the same arguments with the
// same attributes has one id. Arguments have smaller ids than their users.
class Graph {
 public:
  Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  const Node& operator[](NodeId id) const { return nodes_[id.index]; }
  std::size_t size() const { return nodes_.size(); }
  Space space(NodeId id) const { return nodes_[id.index].space; }
  std::int32_t length(NodeId id) const { return nodes_[id.index].length; }

  // Returns the id of this node and creates the node if it is new. Nothing is checked here;
  // GraphBuilder does that.
  NodeId intern(Op op, std::int32_t length, std::span<const NodeId> arguments,
                const Attributes& attributes = {}, std::span<const double> values = {});

 private:
  std::deque<Node> nodes_;  // references stay valid while the graph grows
  // Owners of the memory that the spans in nodes_ refer to. The inner buffers never move.
  std::vector<std::vector<NodeId>> arguments_;
  std::vector<std::vector<double>> values_;
  std::unordered_multimap<std::uint64_t, NodeId> by_hash_;
};

}  // namespace dpvi
