#include <dpvi/tape/graph/graph_builder.hpp>

#include <algorithm>
#include <limits>
#include <string>

#include <dpvi/base/error.hpp>
#include <dpvi/tape/graph/node_evaluation.hpp>

namespace dpvi {
namespace {

// The work of looking up a node and of creating one, in addition to reading its arguments.
constexpr std::size_t kLookup = 8;
constexpr std::size_t kNewNode = 30;

void require(bool condition, Op op, const char* rule) {
  if (condition) return;
  throw InternalError(kInternal, std::string(op_name(op)) + ": " + rule + ".", "Report this.");
}

}  // namespace

std::int32_t GraphBuilder::common_length(std::initializer_list<NodeId> values) const {
  std::int32_t result = 1;
  for (const NodeId value : values) {
    const std::int32_t own = length(value);
    if (own == 1 || own == result) continue;
    if (result != 1) throw InternalError(kInternal, "Lengths differ.", "Report this.");
    result = own;
  }
  return result;
}

NodeId GraphBuilder::constant(double value) { return constant(std::span(&value, 1)); }

void GraphBuilder::count_work(std::size_t work) {
  work_ += static_cast<std::int64_t>(work);
  if (work_ <= most_work_) return;
  throw InputError(
      kModelTooLarge,
      "The program was stopped here after " + std::to_string(most_work_) + " operations.",
      "Shorten its loops and use smaller matrices.");
}

NodeId GraphBuilder::constant(std::span<const double> values) {
  count_work(kLookup + values.size() / 4);
  return graph_->intern(Op::constant, static_cast<std::int32_t>(values.size()), {}, {}, values);
}

NodeId GraphBuilder::input(Op op, std::int32_t offset, std::int32_t length) {
  require(offset >= 0 && length >= 0, op, "negative place or length");
  if (length == 0) return constant(std::span<const double>());
  return intern(op, length, {}, {offset});
}

NodeId GraphBuilder::theta(std::int32_t offset, std::int32_t length) {
  return input(Op::theta, offset, length);
}

NodeId GraphBuilder::record_real(std::int32_t column, std::int32_t count) {
  return input(Op::record_real, column, count);
}

NodeId GraphBuilder::record_int(std::int32_t column, std::int32_t count) {
  return input(Op::record_int, column, count);
}

NodeId GraphBuilder::unary(Op op, NodeId x) {
  require(op_class(op) == OpClass::unary, op, "not an operation of one argument");
  if (const auto simpler = simplified_unary(op, x)) return *simpler;
  return intern(op, length(x), {x});
}

NodeId GraphBuilder::binary(Op op, NodeId a, NodeId b) {
  require(op_class(op) == OpClass::binary, op, "not an operation of two arguments");
  const std::int32_t result = common_length({a, b});
  if (is_commutative(op) && b < a) std::swap(a, b);
  if (const auto simpler = simplified_binary(op, a, b, result)) return *simpler;
  return intern(op, result, {a, b});
}

NodeId GraphBuilder::several(Op op, std::initializer_list<NodeId> arguments) {
  require(op_class(op) == OpClass::several, op, "not an operation of several arguments");
  return intern(op, common_length(arguments), arguments);
}

NodeId GraphBuilder::select(NodeId mask, NodeId if_true, NodeId if_false) {
  const std::int32_t result = common_length({mask, if_true, if_false});
  if (const double* value = constant_value(mask)) {
    const NodeId chosen = *value != 0.0 ? if_true : if_false;
    return length(chosen) == result ? chosen : broadcast(chosen, result);
  }
  if (if_true == if_false && length(if_true) == result) return if_true;
  if (const auto simpler = simplified_select(mask, if_true, if_false, result)) return *simpler;
  return intern(Op::select, result, {mask, if_true, if_false});
}

NodeId GraphBuilder::slice(NodeId x, std::int32_t offset, std::int32_t wanted,
                           std::int32_t stride) {
  require(wanted >= 0, Op::slice, "negative length");
  if (wanted == 0) return constant(std::span<const double>());
  const std::int64_t last = offset + static_cast<std::int64_t>(wanted - 1) * stride;
  require(offset >= 0 && offset < length(x) && last >= 0 && last < length(x), Op::slice,
          "reads outside its argument");
  if (wanted == 1) stride = 1;
  if (const auto simpler = simplified_slice(x, offset, wanted, stride)) return *simpler;
  return intern(Op::slice, wanted, {x}, {offset, stride});
}

NodeId GraphBuilder::gather(NodeId x, NodeId index, const GatherShape& shape) {
  const auto [extent, index_stride, block, stride, offset] = shape;
  require(extent >= 0 && block >= 0, Op::gather, "negative extent or length");
  const std::int64_t result = static_cast<std::int64_t>(length(index)) * block;
  require(result <= std::numeric_limits<std::int32_t>::max(), Op::gather, "result too long");
  if (result > 0 && extent > 0) {
    const std::int64_t index_reach = static_cast<std::int64_t>(extent - 1) * index_stride;
    const std::int64_t block_reach = static_cast<std::int64_t>(block - 1) * stride;
    const std::int64_t lowest =
        offset + std::min<std::int64_t>(0, index_reach) + std::min<std::int64_t>(0, block_reach);
    const std::int64_t highest =
        offset + std::max<std::int64_t>(0, index_reach) + std::max<std::int64_t>(0, block_reach);
    require(lowest >= 0 && highest < length(x), Op::gather, "reads outside its argument");
  }
  if (const double* value = constant_value(index); value && length(index) == 1) {
    const std::int32_t at = node_evaluation::valid_index(*value, extent);
    if (at >= 0) return slice(x, offset + at * index_stride, block, stride);
    return broadcast(constant(std::numeric_limits<double>::quiet_NaN()), block);
  }
  if (const auto pushed = operation_on_gathered(x, index, shape)) return *pushed;
  return intern(Op::gather, static_cast<std::int32_t>(result), {x, index},
                {extent, index_stride, block, stride, offset});
}

NodeId GraphBuilder::reduce(Op op, NodeId x) {
  require(op_class(op) == OpClass::reduction, op, "not a reduction");
  require(length(x) > 0 || (op != Op::min_of && op != Op::max_of), op, "of nothing");
  if (length(x) == 1) return x;
  if (const auto simpler = simplified_reduction(op, x)) return *simpler;
  return intern(op, 1, {x});
}

NodeId GraphBuilder::dot(NodeId a, NodeId b) {
  const std::int32_t n = common_length({a, b});
  if (n == 1) return mul(a, b);
  // A scalar factors out of the sum: one product instead of n.
  if (length(a) == 1) return mul(a, sum(b));
  if (length(b) == 1) return mul(b, sum(a));
  if (b < a) std::swap(a, b);
  return intern(Op::dot, 1, {a, b});
}

NodeId GraphBuilder::squared_distance(NodeId a, NodeId b) {
  const std::int32_t n = common_length({a, b});
  if (n == 1) return square(sub(a, b));
  if (b < a) std::swap(a, b);
  return intern(Op::squared_distance, 1, {a, b});
}

NodeId GraphBuilder::matmul(NodeId a, NodeId b, const MatmulShape& shape) {
  const auto [rows, inner, columns, row_stride, column_stride] = shape;
  require(rows >= 0 && inner >= 0 && columns >= 0, Op::matmul, "negative size");
  require(length(b) == inner * columns, Op::matmul, "second factor has another length");
  require(row_stride >= 0 && column_stride >= 0, Op::matmul, "negative stride");
  if (rows > 0 && inner > 0) {
    require((rows - 1) * row_stride + (inner - 1) * column_stride < length(a), Op::matmul,
            "reads outside its first factor");
  }
  if (inner == 0) return broadcast(constant(0.0), rows * columns);
  if (rows == 1 && columns == 1) return dot(slice(a, 0, inner, column_stride), b);
  return intern(Op::matmul, rows * columns, {a, b},
                {rows, inner, columns, row_stride, column_stride});
}

NodeId GraphBuilder::solve_lower(NodeId factor, NodeId inverse, NodeId b) {
  const std::int32_t size = length(b);
  require(length(factor) == size * size && length(inverse) == size * size, Op::solve_lower,
          "matrices have another size than the vector");
  if (size == 1) return mul(inverse, b);
  return intern(Op::solve_lower, size, {factor, inverse, b});
}

const double* GraphBuilder::constant_value(NodeId x) const {
  const Node& node = (*graph_)[x];
  if (node.op != Op::constant || node.length == 0) return nullptr;
  const double first = node.values[0];
  const bool all_equal =
      std::ranges::all_of(node.values, [first](double value) { return value == first; });
  return all_equal ? node.values.data() : nullptr;
}

NodeId GraphBuilder::intern(Op op, std::int32_t length, std::initializer_list<NodeId> arguments,
                            const Attributes& attributes) {
  return intern(op, length, std::span(arguments), attributes);
}

NodeId GraphBuilder::intern(Op op, std::int32_t length, std::span<const NodeId> arguments,
                            const Attributes& attributes) {
  if (length == 0) return constant(std::span<const double>());
  count_work(kLookup + arguments.size());
  const bool foldable =
      !arguments.empty() &&
      std::ranges::all_of(arguments, [this](NodeId argument) { return is_constant(argument); });
  if (!foldable) {
    const std::size_t before = graph_->size();
    const NodeId id = graph_->intern(op, length, arguments, attributes);
    if (graph_->size() > before) count_work(kNewNode);
    return id;
  }
  return fold({op, Space::constant, length, arguments, attributes, {}});
}

NodeId GraphBuilder::fold(const Node& node) {
  std::vector<StridedValues<double>> views;
  for (const NodeId argument : node.arguments) {
    const std::span<const double> values = (*graph_)[argument].values;
    const bool repeats = values.size() == 1 && op_class(node.op) != OpClass::slice;
    views.push_back({values.data(), repeats ? 0 : 1, static_cast<std::int32_t>(values.size())});
  }
  std::vector<double> result(static_cast<std::size_t>(node.length));
  const bool product = node.op == Op::matmul;
  count_work(result.size() * (product ? static_cast<std::size_t>(node.attributes[1]) : 1) / 4);
  evaluate_node<double>(node, views, result.data());
  return constant(result);
}

}  // namespace dpvi
