#pragma once

#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include <dpvi/tape/graph/graph.hpp>

namespace dpvi {

// The access pattern of a gather. Entry k of block i of the result is
//   x[offset + index[i] * index_stride + k * stride],  k = 0 .. length - 1.
// Indices count from 0. An index that is not an integer in [0, extent) gives NaN and never an
// out-of-bounds read. Every entry that a valid index can reach must lie inside x.
struct GatherShape {
  std::int32_t extent = 0;
  std::int32_t index_stride = 1;
  std::int32_t length = 1;
  std::int32_t stride = 1;
  std::int32_t offset = 0;
};

// The product of a rows x inner and an inner x columns matrix. The second factor and the result are
// column-major. Entry (r, c) of the first factor is its element r * row_stride + c * column_stride.
struct MatmulShape {
  std::int32_t rows = 1;
  std::int32_t inner = 1;
  std::int32_t columns = 1;
  std::int32_t row_stride = 1;
  std::int32_t column_stride = 1;
};

// Builds a graph. It folds constants and drops operations without effect, so that equal expressions
// written differently often become one node. All values are flat vectors, and scalars are broadcast
// against vectors. Lengths that do not match are programming errors and throw InternalError.
//
// NaN marks a record, or parameters, that violate a rule. It is never simplified away. A comparison
// with NaN is 0, so a comparison alone must not serve as a check.
class GraphBuilder {
 public:
  const Graph& graph() const { return *graph_; }
  // Limits the total work from here on: nodes requested, their arguments, and numbers computed for
  // constants. Exceeding the limit throws InputError (DP208, without a source place).
  void limit_work(std::int64_t most) { most_work_ = most; }
  // Leaves computed vectors as they are when a record gathers from them. Otherwise the gather may
  // come first (operation_on_gathered).
  void keep_gathered_vectors(bool keep) { keep_gathered_vectors_ = keep; }
  // The graph may outlive its builder, for programs compiled from it.
  std::shared_ptr<const Graph> share() const { return graph_; }

  NodeId constant(double value);
  NodeId constant(std::span<const double> values);
  NodeId theta(std::int32_t offset, std::int32_t length = 1);
  NodeId record_real(std::int32_t column, std::int32_t count = 1);
  NodeId record_int(std::int32_t column, std::int32_t count = 1);

  NodeId unary(Op op, NodeId x);
  NodeId binary(Op op, NodeId a, NodeId b);
  NodeId several(Op op, std::initializer_list<NodeId> arguments);
  NodeId select(NodeId mask, NodeId if_true, NodeId if_false);

  // Entries offset, offset + stride, ...; stride 0 repeats one entry.
  NodeId slice(NodeId x, std::int32_t offset, std::int32_t length, std::int32_t stride = 1);
  NodeId element(NodeId x, std::int32_t index) { return slice(x, index, 1); }
  NodeId broadcast(NodeId scalar, std::int32_t length) { return slice(scalar, 0, length, 0); }
  NodeId pack(std::span<const NodeId> parts);
  NodeId pack(std::initializer_list<NodeId> parts) { return pack(std::span(parts)); }
  NodeId gather(NodeId x, NodeId index, const GatherShape& shape);

  // An empty argument gives sum 0, prod 1 and log_sum_exp -inf. min_of and max_of need at least one
  // entry.
  NodeId reduce(Op op, NodeId x);
  NodeId dot(NodeId a, NodeId b);
  NodeId squared_distance(NodeId a, NodeId b);
  NodeId matmul(NodeId a, NodeId b, const MatmulShape& shape);
  // The solution z of L z = b. The lower triangular L is column-major, and only its lower triangle
  // is read. The caller computes `inverse`, the inverse of L in the same layout, from L. Records
  // are multiplied by the inverse. Derivatives go to L and b, not through the inverse.
  NodeId solve_lower(NodeId factor, NodeId inverse, NodeId b);

  NodeId neg(NodeId x) { return unary(Op::neg, x); }
  NodeId exp(NodeId x) { return unary(Op::exp, x); }
  NodeId log(NodeId x) { return unary(Op::log, x); }
  NodeId square(NodeId x) { return unary(Op::square, x); }
  NodeId inv(NodeId x) { return unary(Op::inv, x); }
  NodeId add(NodeId a, NodeId b) { return binary(Op::add, a, b); }
  NodeId sub(NodeId a, NodeId b) { return binary(Op::sub, a, b); }
  NodeId mul(NodeId a, NodeId b) { return binary(Op::mul, a, b); }
  NodeId div(NodeId a, NodeId b) { return binary(Op::div, a, b); }
  NodeId sum(NodeId x) { return reduce(Op::sum, x); }
  NodeId log_sum_exp(NodeId x) { return reduce(Op::log_sum_exp, x); }
  NodeId log_softmax(NodeId x) { return sub(x, log_sum_exp(x)); }
  NodeId softmax(NodeId x) { return exp(log_softmax(x)); }

  std::int32_t length(NodeId x) const { return graph_->length(x); }
  // The length of an elementwise operation on these values.
  std::int32_t common_length(std::initializer_list<NodeId> values) const;
  Space space(NodeId x) const { return graph_->space(x); }
  bool is_constant(NodeId x) const { return (*graph_)[x].op == Op::constant; }
  // The value that all entries of a constant share, or null if there is none.
  const double* constant_value(NodeId x) const;

 private:
  NodeId input(Op op, std::int32_t offset, std::int32_t length);
  NodeId intern(Op op, std::int32_t length, std::span<const NodeId> arguments,
                const Attributes& attributes = {});
  NodeId intern(Op op, std::int32_t length, std::initializer_list<NodeId> arguments,
                const Attributes& attributes = {});
  NodeId fold(const Node& node);
  void count_work(std::size_t work);
  bool is_value(NodeId x, double value) const;
  bool is_nan(NodeId x) const;

  // The rewrites. A std::optional result holds the simpler node, or nullopt if there is none.
  std::optional<NodeId> simplified_unary(Op op, NodeId x);
  std::optional<NodeId> simplified_binary(Op op, NodeId a, NodeId b, std::int32_t result);
  bool belongs_together(NodeId outer, NodeId part, NodeId rest) const;
  std::optional<NodeId> regrouped_product(NodeId a, NodeId b);
  std::optional<NodeId> regrouped_sum(NodeId a, NodeId b, bool adds);
  std::optional<NodeId> operation_on_gathered(NodeId x, NodeId index, const GatherShape& shape);
  std::optional<NodeId> simplified_pow(NodeId a, NodeId b, std::int32_t result);
  std::optional<NodeId> simplified_reduction(Op op, NodeId x);
  std::optional<NodeId> simplified_select(NodeId mask, NodeId a, NodeId b, std::int32_t result);
  std::optional<NodeId> select_of_differences(NodeId mask, NodeId a, NodeId b);
  std::optional<NodeId> select_of_binaries(NodeId mask, const Node& first, const Node& second);
  std::optional<NodeId> select_of_selects(NodeId mask, const Node& first, const Node& second);
  std::optional<NodeId> comparison_of_exponential(NodeId a, NodeId b);
  std::optional<NodeId> product_without_sign(NodeId a, NodeId b);
  std::optional<NodeId> distributed_sum(const Node& node);
  NodeId sum_of_squares(NodeId x);
  std::optional<NodeId> simplified_slice(NodeId x, std::int32_t offset, std::int32_t wanted,
                                         std::int32_t stride);
  NodeId slice_of_pack(const Node& pack_node, std::int32_t offset, std::int32_t wanted);
  std::optional<NodeId> vectorised_pack(std::span<const NodeId> parts);
  NodeId aligned_argument(const Node& node, const Node& model, std::size_t i) const;
  void append_part(std::vector<NodeId>& parts, NodeId piece);
  std::optional<NodeId> joined_pieces(NodeId first, NodeId second);

  std::shared_ptr<Graph> graph_ = std::make_shared<Graph>();
  bool keep_gathered_vectors_ = false;
  int rewrite_depth_ = 0;
  int select_depth_ = 0;
  std::int64_t work_ = 0;
  std::int64_t most_work_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace dpvi
