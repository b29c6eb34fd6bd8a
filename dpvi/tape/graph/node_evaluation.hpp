#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include <dpvi/tape/graph/graph.hpp>
#include <dpvi/tape/math/scalar_functions.hpp>

namespace dpvi {

inline double apply(Op op, double x) { return unary_value(op, x); }
inline double apply(Op op, double a, double b) { return binary_value(op, a, b); }
inline double apply(Op op, std::span<const double> arguments) {
  return several_result(op, arguments).value;
}
inline double value_of(double x) { return x; }

// An argument as its user sees it. Stride 0 repeats a scalar.
template <class Number>
struct StridedValues {
  const Number* first = nullptr;
  std::int32_t stride = 1;
  std::int32_t length = 0;

  const Number& operator[](std::int32_t i) const {
    return first[static_cast<std::ptrdiff_t>(i) * stride];
  }
};

namespace node_evaluation {

template <class Number>
void several(const Node& node, std::span<const StridedValues<Number>> arguments, Number* out) {
  std::vector<Number> numbers(arguments.size(), Number(0.0));
  for (std::int32_t i = 0; i < node.length; ++i) {
    for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = arguments[k][i];
    out[i] = apply(node.op, std::span<const Number>(numbers));
  }
}

template <class Number>
Number log_sum_exp(const StridedValues<Number>& x) {
  double largest = -std::numeric_limits<double>::infinity();
  for (std::int32_t i = 0; i < x.length; ++i) largest = std::fmax(largest, value_of(x[i]));
  const Number shift(std::isinf(largest) ? 0.0 : largest);
  Number total(0.0);
  for (std::int32_t i = 0; i < x.length; ++i) {
    total = apply(Op::add, total, apply(Op::exp, apply(Op::sub, x[i], shift)));
  }
  return apply(Op::add, apply(Op::log, total), shift);
}

template <class Number>
Number reduce(Op op, const StridedValues<Number>& x) {
  switch (op) {
    case Op::log_sum_exp:
      return log_sum_exp(x);
    case Op::sum:
    case Op::prod: {
      Number total(op == Op::sum ? 0.0 : 1.0);
      for (std::int32_t i = 0; i < x.length; ++i) {
        total = apply(op == Op::sum ? Op::add : Op::mul, total, x[i]);
      }
      return total;
    }
    default: {  // min_of, max_of
      Number extreme = x[0];
      for (std::int32_t i = 1; i < x.length; ++i) {
        extreme = apply(op == Op::min_of ? Op::min : Op::max, extreme, x[i]);
      }
      return extreme;
    }
  }
}

template <class Number>
Number reduce_pair(Op op, const StridedValues<Number>& a, const StridedValues<Number>& b) {
  const std::int32_t n = a.stride == 0 ? b.length : a.length;
  Number total(0.0);
  for (std::int32_t i = 0; i < n; ++i) {
    const Number term =
        op == Op::dot ? apply(Op::mul, a[i], b[i]) : apply(Op::square, apply(Op::sub, a[i], b[i]));
    total = apply(Op::add, total, term);
  }
  return total;
}

// The index that an entry holds, or -1 if it is not an integer in [0, extent).
inline std::int32_t valid_index(double value, std::int32_t extent) {
  if (!(value >= 0.0 && value < extent) || value != std::floor(value)) return -1;
  return static_cast<std::int32_t>(value);
}

template <class Number>
void gather(const Attributes& shape, const StridedValues<Number>& x,
            const StridedValues<Number>& index, Number* out) {
  const auto [extent, index_stride, length, stride, offset] = shape;
  for (std::int32_t i = 0; i < index.length; ++i) {
    const std::int32_t at = valid_index(value_of(index[i]), extent);
    for (std::int32_t k = 0; k < length; ++k) {
      *out++ = at < 0 ? Number(std::numeric_limits<double>::quiet_NaN())
                      : x[offset + at * index_stride + k * stride];
    }
  }
}

template <class Number>
void matmul(const Attributes& shape, const StridedValues<Number>& a, const StridedValues<Number>& b,
            Number* out) {
  const auto [rows, inner, columns, row_stride, column_stride] = shape;
  for (std::int32_t column = 0; column < columns; ++column) {
    for (std::int32_t row = 0; row < rows; ++row) {
      Number total(0.0);
      for (std::int32_t k = 0; k < inner; ++k) {
        total =
            apply(Op::add, total,
                  apply(Op::mul, a[row * row_stride + k * column_stride], b[column * inner + k]));
      }
      *out++ = total;
    }
  }
}

// Solves by forward substitution; the inverse is not used.
template <class Number>
void solve_lower(const StridedValues<Number>& factor, const StridedValues<Number>& b, Number* out) {
  for (std::int32_t i = 0; i < b.length; ++i) {
    Number rest = b[i];
    for (std::int32_t j = 0; j < i; ++j) {
      rest = apply(Op::sub, rest, apply(Op::mul, factor[j * b.length + i], out[j]));
    }
    out[i] = apply(Op::div, rest, factor[i * b.length + i]);
  }
}

}  // namespace node_evaluation

// Computes one node that is not an input, for any number type with apply() and value_of().
template <class Number>
void evaluate_node(const Node& node, std::span<const StridedValues<Number>> arguments,
                   Number* out) {
  switch (op_class(node.op)) {
    case OpClass::unary:
      for (std::int32_t i = 0; i < node.length; ++i) out[i] = apply(node.op, arguments[0][i]);
      break;
    case OpClass::binary:
      for (std::int32_t i = 0; i < node.length; ++i) {
        out[i] = apply(node.op, arguments[0][i], arguments[1][i]);
      }
      break;
    case OpClass::several:
      node_evaluation::several(node, arguments, out);
      break;
    case OpClass::select:
      for (std::int32_t i = 0; i < node.length; ++i) {
        out[i] = value_of(arguments[0][i]) != 0.0 ? arguments[1][i] : arguments[2][i];
      }
      break;
    case OpClass::slice:
      for (std::int32_t i = 0; i < node.length; ++i) {
        out[i] = arguments[0][node.attributes[0] + i * node.attributes[1]];
      }
      break;
    case OpClass::pack:
      for (const StridedValues<Number>& part : arguments) {
        for (std::int32_t i = 0; i < part.length; ++i) *out++ = part[i];
      }
      break;
    case OpClass::gather:
      node_evaluation::gather(node.attributes, arguments[0], arguments[1], out);
      break;
    case OpClass::reduction:
      *out = node_evaluation::reduce(node.op, arguments[0]);
      break;
    case OpClass::pair_reduction:
      *out = node_evaluation::reduce_pair(node.op, arguments[0], arguments[1]);
      break;
    case OpClass::matmul:
      node_evaluation::matmul(node.attributes, arguments[0], arguments[1], out);
      break;
    case OpClass::solve_lower:
      node_evaluation::solve_lower(arguments[0], arguments[2], out);
      break;
    case OpClass::input:
      break;
  }
}

}  // namespace dpvi
