#include <dpvi/tape/graph/entries.hpp>

#include <map>

#include <dpvi/tape/graph/rewrite_depth.hpp>

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

namespace {

class EntryReader {
 public:
  EntryReader(GraphBuilder& builder, std::int32_t index) : builder_(builder), index_(index) {}

  NodeId read(NodeId value) {
    if (builder_.length(value) == 1) return value;
    const auto known = read_.find(value);
    if (known != read_.end()) return known->second;
    const RewriteDepth deeper(depth_);
    const NodeId entry = depth_ > kDeepest ? builder_.element(value, index_) : computed(value);
    read_.emplace(value, entry);
    return entry;
  }

 private:
  static constexpr int kDeepest = 200;

  NodeId computed(NodeId value) {
    const Op op = builder_.graph()[value].op;
    // Copied, because new nodes may move the old ones.
    const auto given = builder_.graph()[value].arguments;
    const std::vector<NodeId> arguments(given.begin(), given.end());
    switch (op_class(op)) {
      case OpClass::unary:
        return builder_.unary(op, read(arguments[0]));
      case OpClass::binary: {
        const NodeId first = read(arguments[0]);
        return builder_.binary(op, first, read(arguments[1]));
      }
      case OpClass::select: {
        const NodeId mask = read(arguments[0]), yes = read(arguments[1]);
        return builder_.select(mask, yes, read(arguments[2]));
      }
      case OpClass::matmul: {
        const auto shape = builder_.graph()[value].attributes;
        const std::int32_t inner = shape[1], columns = shape[2], row_stride = shape[3];
        const std::int32_t column_stride = shape[4];
        if (columns != 1) break;
        return builder_.dot(builder_.slice(arguments[0], index_ * row_stride, inner, column_stride),
                            arguments[1]);
      }
      default:
        break;
    }
    return builder_.element(value, index_);
  }

  GraphBuilder& builder_;
  std::int32_t index_;
  int depth_ = 0;
  std::map<NodeId, NodeId> read_;
};

}  // namespace

NodeId entry_alone(GraphBuilder& builder, NodeId value, std::int32_t index) {
  return EntryReader(builder, index).read(value);
}

}  // namespace dpvi
