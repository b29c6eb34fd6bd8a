#include <dpvi/tape/graph/graph.hpp>

#include <algorithm>
#include <bit>

namespace dpvi {
namespace {

class Hash {
 public:
  void add(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x9E3779B97F4A7C15ULL;
    state_ ^= state_ >> 32;
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0x243F6A8885A308D3ULL;
};

// Constants are compared by their bits: -0 is not 0, and a NaN equals itself.
bool same_bits(std::span<const double> a, std::span<const double> b) {
  return std::ranges::equal(a, b, [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

bool same_node(const Node& a, const Node& b) {
  return a.op == b.op && a.length == b.length && a.attributes == b.attributes &&
         std::ranges::equal(a.arguments, b.arguments) && same_bits(a.values, b.values);
}

std::uint64_t hash_of(const Node& node) {
  Hash hash;
  hash.add(static_cast<std::uint64_t>(node.op));
  hash.add(static_cast<std::uint64_t>(node.length));
  for (const NodeId argument : node.arguments) hash.add(argument.index);
  for (const std::int32_t attribute : node.attributes) {
    hash.add(static_cast<std::uint64_t>(static_cast<std::uint32_t>(attribute)));
  }
  for (const double value : node.values) hash.add(std::bit_cast<std::uint64_t>(value));
  return hash.value();
}

Space own_space(Op op) {
  switch (op) {
    case Op::theta:
      return Space::uniform;
    case Op::record_real:
    case Op::record_int:
      return Space::data;
    default:
      return Space::constant;
  }
}

}  // namespace

NodeId Graph::intern(Op op, std::int32_t length, std::span<const NodeId> arguments,
                     const Attributes& attributes, std::span<const double> values) {
  Node node{op, own_space(op), length, arguments, attributes, values};
  const std::uint64_t hash = hash_of(node);
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    if (same_node(nodes_[it->second.index], node)) return it->second;
  }
  for (const NodeId argument : arguments) node.space = node.space | space(argument);
  if (!arguments.empty()) {
    node.arguments = arguments_.emplace_back(arguments.begin(), arguments.end());
  }
  if (!values.empty()) node.values = values_.emplace_back(values.begin(), values.end());
  const NodeId id{static_cast<std::uint32_t>(nodes_.size())};
  nodes_.push_back(node);
  by_hash_.emplace(hash, id);
  return id;
}

}  // namespace dpvi
