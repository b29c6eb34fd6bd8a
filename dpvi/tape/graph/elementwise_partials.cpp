#include <dpvi/tape/graph/elementwise_partials.hpp>

#include <cmath>
#include <numbers>

#include <dpvi/tape/graph/expression.hpp>

namespace dpvi {
namespace {

UnaryPartials partials(Expression first) { return {first.id, std::nullopt}; }
UnaryPartials partials(Expression first, Expression second) { return {first.id, second.id}; }

Expression sign(Expression x) {
  return select(x < 0.0, x.with(-1.0), select(x.with(0.0) < x, x.with(1.0), x.with(0.0)));
}

// Derivatives of trigonometric and hyperbolic functions.
std::optional<UnaryPartials> circular_partials(Op op, Expression x, Expression y) {
  switch (op) {
    case Op::sin:
      return partials(apply(Op::cos, x), -y);
    case Op::cos:
      return partials(-apply(Op::sin, x), -y);
    case Op::tan:
      return partials(1.0 + square(y), 2.0 * y * (1.0 + square(y)));
    case Op::asin:
    case Op::acos: {
      const Expression root = 1.0 / sqrt(1.0 - square(x));
      const Expression second = x * root * square(root);
      return op == Op::asin ? partials(root, second) : partials(-root, -second);
    }
    case Op::atan: {
      const Expression slope = 1.0 / (1.0 + square(x));
      return partials(slope, -2.0 * x * square(slope));
    }
    case Op::sinh:
      return partials(apply(Op::cosh, x), y);
    case Op::cosh:
      return partials(apply(Op::sinh, x), y);
    case Op::tanh:
      return partials(1.0 - square(y), -2.0 * y * (1.0 - square(y)));
    default:
      return std::nullopt;
  }
}

// Derivatives of functions of probabilities.
std::optional<UnaryPartials> probability_partials(Op op, Expression x, Expression y) {
  constexpr double kRoot = 2.5066282746310002;  // sqrt(2 pi)
  switch (op) {
    case Op::inv_logit:
      return partials(y * (1.0 - y), y * (1.0 - y) * (1.0 - 2.0 * y));
    case Op::logit: {
      const Expression slope = 1.0 / (x * (1.0 - x));
      return partials(slope, (2.0 * x - 1.0) * square(slope));
    }
    case Op::log_inv_logit: {
      const Expression rest = apply(Op::inv_logit, -x);
      return partials(rest, -(rest * (1.0 - rest)));
    }
    case Op::log1p_exp: {
      const Expression p = apply(Op::inv_logit, x);
      return partials(p, p * (1.0 - p));
    }
    case Op::log1m_exp: {
      const Expression slope = -1.0 / apply(Op::expm1, -x);
      return partials(slope, slope - square(slope));
    }
    case Op::phi: {
      const Expression density = exp(-0.5 * square(x)) / kRoot;
      return partials(density, -(x * density));
    }
    case Op::log_phi: {
      const Expression ratio = exp(-0.5 * square(x) - y) / kRoot;
      return partials(ratio, -(ratio * (x + ratio)));
    }
    case Op::inv_phi: {
      const Expression slope = kRoot * exp(0.5 * square(y));
      return partials(slope, y * square(slope));
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<UnaryPartials> unary_partials(GraphBuilder& builder, Op op, NodeId argument,
                                            NodeId result) {
  if (is_step(op)) return UnaryPartials{};
  const Expression x{&builder, argument};
  const Expression y{&builder, result};
  switch (op) {
    case Op::neg:
      return partials(x.with(-1.0));
    case Op::exp:
      return partials(y, y);
    case Op::log:
      return partials(1.0 / x, -square(1.0 / x));
    case Op::log1p:
      return partials(1.0 / (1.0 + x), -square(1.0 / (1.0 + x)));
    case Op::log1m:
      return partials(-1.0 / (1.0 - x), -square(1.0 / (1.0 - x)));
    case Op::expm1:
      return partials(exp(x), exp(x));
    case Op::sqrt:
      return partials(0.5 / y, -0.25 / (x * y));
    case Op::square:
      return partials(2.0 * x, x.with(2.0));
    case Op::inv:
      return partials(-square(y), 2.0 * y * square(y));
    case Op::fabs:
      return partials(sign(x));
    case Op::lgamma:
      return partials(apply(Op::digamma, x), apply(Op::trigamma, x));
    default:
      break;
  }
  if (auto found = circular_partials(op, x, y)) return found;
  return probability_partials(op, x, y);
}

namespace {

BinaryPartials power_partials(Expression a, Expression b, WantedPartials wanted) {
  const Expression y = apply(Op::pow, a, b);
  BinaryPartials result;
  if (wanted.a) {
    result.a = (b * apply(Op::pow, a, b - 1.0)).id;
    result.aa = (b * (b - 1.0) * apply(Op::pow, a, b - 2.0)).id;
  }
  if (wanted.b) {
    result.b = (y * log(a)).id;
    result.bb = (y * square(log(a))).id;
  }
  if (wanted.a && wanted.b) {
    result.ab = (apply(Op::pow, a, b - 1.0) * (1.0 + b * log(a))).id;
  }
  return result;
}

}  // namespace

std::optional<BinaryPartials> binary_partials(GraphBuilder& builder, Op op, NodeId first,
                                              NodeId second, WantedPartials wanted) {
  if (is_step(op)) return BinaryPartials{};
  const Expression a{&builder, first};
  const Expression b{&builder, second};
  const NodeId one = builder.constant(1.0);
  BinaryPartials result;
  switch (op) {
    case Op::add:
      return BinaryPartials{one, one, {}, {}, {}};
    case Op::sub:
      return BinaryPartials{one, builder.constant(-1.0), {}, {}, {}};
    case Op::mul:
      return BinaryPartials{second, first, {}, one, {}};
    case Op::div: {
      const Expression inverse = 1.0 / b;
      result.a = inverse.id;
      if (!wanted.b) return result;
      result.b = (-(a * square(inverse))).id;
      result.ab = (-square(inverse)).id;
      result.bb = (2.0 * a * inverse * square(inverse)).id;
      return result;
    }
    case Op::pow:
      return power_partials(a, b, wanted);
    case Op::min:
    case Op::max: {
      const Expression takes_a = op == Op::min ? a < b : b < a;
      result.a = takes_a.id;
      result.b = (!takes_a).id;
      return result;
    }
    case Op::fmod:
      if (wanted.b) return std::nullopt;
      result.a = one;
      return result;
    default:
      return std::nullopt;
  }
}

}  // namespace dpvi
