#include <dpvi/tape/reference/reference_evaluator.hpp>

#include <cmath>
#include <string>

#include <dpvi/base/error.hpp>
#include <dpvi/tape/graph/node_evaluation.hpp>
#include <dpvi/tape/graph/reachable.hpp>

namespace dpvi {
namespace {

// A dual number: a value and its derivative along one direction.
struct Dual {
  double value = 0.0;
  double tangent = 0.0;

  Dual() = default;
  explicit Dual(double v, double t = 0.0) : value(v), tangent(t) {}
};

double value_of(const Dual& x) { return x.value; }

// A zero tangent contributes zero, even if the derivative is infinite or NaN.
double along(double partial, double tangent) { return tangent == 0.0 ? 0.0 : partial * tangent; }

Dual apply(Op op, const Dual& x) {
  const double value = unary_value(op, x.value);
  return Dual(value, along(unary_partial(op, x.value, value), x.tangent));
}

Dual apply(Op op, const Dual& a, const Dual& b) {
  const double value = binary_value(op, a.value, b.value);
  const BinaryPartials partials = binary_partials(op, a.value, b.value, value);
  return Dual(value, along(partials.first, a.tangent) + along(partials.second, b.tangent));
}

Dual apply(Op op, std::span<const Dual> arguments) {
  double numbers[kMaxArguments];
  for (std::size_t k = 0; k < arguments.size(); ++k) numbers[k] = arguments[k].value;
  const SeveralResult result = several_result(op, {numbers, arguments.size()});
  double tangent = 0.0;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    tangent += along(result.partials[k], arguments[k].tangent);
  }
  return Dual(result.value, tangent);
}

template <class Number>
class Evaluation {
 public:
  Evaluation(const Graph& graph, NodeId root)
      : graph_(graph), order_(reachable_from(graph, {&root, 1})), values_(root.index + 1) {}

  const std::vector<Number>& run(std::span<const Number> theta, RecordValues record) {
    for (const NodeId id : order_) evaluate(id, theta, record);
    return values_[order_.back().index];
  }

 private:
  void evaluate(NodeId id, std::span<const Number> theta, RecordValues record) {
    const Node& node = graph_[id];
    std::vector<Number>& out = values_[id.index];
    out.clear();
    switch (node.op) {
      case Op::constant:
        for (const double value : node.values) out.push_back(Number(value));
        break;
      case Op::theta:
        copy_input(node, theta, out);
        break;
      case Op::record_real:
        copy_input(node, record.reals, out);
        break;
      case Op::record_int:
        copy_input(node, record.ints, out);
        break;
      default:
        evaluate_operation(node, out);
    }
  }

  template <class Source>
  static void copy_input(const Node& node, std::span<const Source> source,
                         std::vector<Number>& out) {
    const auto first = static_cast<std::size_t>(node.attributes[0]);
    const auto count = static_cast<std::size_t>(node.length);
    if (first + count > source.size()) {
      throw InternalError(kInternal, std::string(op_name(node.op)) + " is too short.",
                          "Report this.");
    }
    for (const Source& value : source.subspan(first, count)) out.push_back(Number(value));
  }

  void evaluate_operation(const Node& node, std::vector<Number>& out) {
    std::vector<StridedValues<Number>> arguments;
    for (const NodeId argument : node.arguments) {
      const std::vector<Number>& values = values_[argument.index];
      arguments.push_back(
          {values.data(), values.size() == 1 ? 0 : 1, static_cast<std::int32_t>(values.size())});
    }
    out.resize(static_cast<std::size_t>(node.length));
    evaluate_node<Number>(node, arguments, out.data());
  }

  const Graph& graph_;
  std::vector<NodeId> order_;
  std::vector<std::vector<Number>> values_;
};

}  // namespace

std::vector<double> reference_values(const Graph& graph, NodeId node, std::span<const double> theta,
                                     RecordValues record) {
  return Evaluation<double>(graph, node).run(theta, record);
}

ReferenceGradient reference_gradient(const Graph& graph, NodeId root, std::span<const double> theta,
                                     RecordValues record) {
  ReferenceGradient result{reference_values(graph, root, theta, record).at(0),
                           std::vector<double>(theta.size(), 0.0)};
  if (!std::isfinite(result.value)) return result;
  Evaluation<Dual> evaluation(graph, root);
  std::vector<Dual> moving(theta.begin(), theta.end());
  for (std::size_t i = 0; i < theta.size(); ++i) {
    moving[i].tangent = 1.0;
    result.gradient[i] = evaluation.run(moving, record)[0].tangent;
    moving[i].tangent = 0.0;
  }
  return result;
}

}  // namespace dpvi
