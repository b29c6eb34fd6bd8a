#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include <dpvi/tape/graph/elementwise_partials.hpp>
#include <dpvi/tape/graph/graph_builder.hpp>

namespace dpvi {

// Thrown if a node's derivative is not known as a formula.
struct NoDerivative {
  Op op;
};

// The first and second derivatives of a node with respect to K variables.
struct Expansion {
  NodeId value;
  std::vector<Derivative> first;   // K entries
  std::vector<Derivative> second;  // entry (k, l), l <= k, at k (k + 1) / 2 + l
};

// Re-expresses a scalar of a graph, and its derivatives, at other values of some real columns of
// the record: the variables. All results are nodes of the same graph, so they are differentiated
// with respect to theta and evaluated like everything else.
class TaylorExpansion {
 public:
  // The variables are the `count` real columns from `first_column`.
  TaylorExpansion(GraphBuilder& builder, NodeId root, std::int32_t first_column,
                  std::int32_t count);

  // The number of derivatives that are wanted: 0, 1 or 2.
  Expansion at(std::span<const NodeId> variables, int order);
  bool depends(NodeId id) const { return dependent_.contains(id); }
  bool root_depends() const { return depends(root_); }

 private:
  using Map = std::unordered_map<std::uint32_t, Expansion>;

  Expansion expand(NodeId id);
  Expansion input(NodeId id);
  Expansion unary(const Node& node);
  Expansion binary(const Node& node);
  Expansion select(const Node& node);
  Expansion log_sum_exp(const Node& node);
  Expansion prod(const Node& node);
  Expansion extreme(const Node& node);
  // A bilinear form of two arguments: dot, matmul.
  template <class Form>
  Expansion bilinear(const Expansion& a, const Expansion& b, const Form& form);
  // A linear function of one argument.
  template <class Form>
  Expansion linear(const Expansion& x, const Form& form);

  Expansion argument(NodeId id);
  Expansion constant_expansion(NodeId id) const;
  std::size_t first_count() const { return order_ > 0 ? variables_.size() : 0; }
  std::size_t second_count() const {
    return order_ > 1 ? variables_.size() * (variables_.size() + 1) / 2 : 0;
  }
  Derivative sum(const Derivative& a, const Derivative& b);
  Derivative product(const Derivative& a, const Derivative& b);
  NodeId full(NodeId x, std::int32_t length);
  NodeId full(const Derivative& x, std::int32_t length);

  GraphBuilder& builder_;
  NodeId root_;
  std::int32_t first_column_;
  std::vector<NodeId> order_of_nodes_;  // those that depend on a variable, arguments first
  std::set<NodeId> dependent_;
  std::span<const NodeId> variables_;
  int order_ = 0;
  Map map_;
};

}  // namespace dpvi
