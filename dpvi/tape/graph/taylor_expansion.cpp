#include <dpvi/tape/graph/taylor_expansion.hpp>

#include <algorithm>
#include <array>

#include <dpvi/tape/graph/reachable.hpp>

namespace dpvi {

TaylorExpansion::TaylorExpansion(GraphBuilder& builder, NodeId root, std::int32_t first_column,
                                 std::int32_t count)
    : builder_(builder), root_(root), first_column_(first_column) {
  for (const NodeId id : reachable_from(builder.graph(), std::array{root})) {
    const Node& node = builder.graph()[id];
    bool depends = node.op == Op::record_real && node.attributes[0] < first_column + count &&
                   node.attributes[0] + node.length > first_column;
    for (const NodeId part : node.arguments) depends = depends || dependent_.contains(part);
    if (!depends) continue;
    dependent_.insert(id);
    order_of_nodes_.push_back(id);
  }
}

Expansion TaylorExpansion::at(std::span<const NodeId> variables, int order) {
  variables_ = variables;
  order_ = order;
  map_.clear();
  for (const NodeId id : order_of_nodes_) map_.emplace(id.index, expand(id));
  return argument(root_);
}

Expansion TaylorExpansion::constant_expansion(NodeId id) const {
  return {id, std::vector<Derivative>(first_count()), std::vector<Derivative>(second_count())};
}

Expansion TaylorExpansion::argument(NodeId id) {
  const auto found = map_.find(id.index);
  return found != map_.end() ? found->second : constant_expansion(id);
}

Derivative TaylorExpansion::sum(const Derivative& a, const Derivative& b) {
  if (!a) return b;
  if (!b) return a;
  return builder_.add(*a, *b);
}

Derivative TaylorExpansion::product(const Derivative& a, const Derivative& b) {
  if (!a || !b) return std::nullopt;
  if (const double* value = builder_.constant_value(*a); value && *value == 0.0) {
    return std::nullopt;
  }
  if (const double* value = builder_.constant_value(*b); value && *value == 0.0) {
    return std::nullopt;
  }
  return builder_.mul(*a, *b);
}

NodeId TaylorExpansion::full(NodeId x, std::int32_t length) {
  return builder_.length(x) == length ? x : builder_.broadcast(x, length);
}

NodeId TaylorExpansion::full(const Derivative& x, std::int32_t length) {
  return full(x ? *x : builder_.constant(0.0), length);
}

// Columns of the record that are no variables stay what they are.
Expansion TaylorExpansion::input(NodeId id) {
  // A copy: the graph grows.
  const std::int32_t column = builder_.graph()[id].attributes[0];
  const std::int32_t length = builder_.length(id);
  const auto count = static_cast<std::int32_t>(variables_.size());
  std::vector<NodeId> parts;
  for (std::int32_t i = 0; i < length; ++i) {
    const std::int32_t k = column + i - first_column_;
    parts.push_back(k >= 0 && k < count ? variables_[static_cast<std::size_t>(k)]
                                        : builder_.record_real(column + i));
  }
  Expansion result = constant_expansion(builder_.pack(parts));
  for (std::size_t k = 0; k < first_count(); ++k) {
    const std::int32_t at = first_column_ + static_cast<std::int32_t>(k) - column;
    if (at < 0 || at >= length) continue;
    std::vector<double> unit(static_cast<std::size_t>(length), 0.0);
    unit[static_cast<std::size_t>(at)] = 1.0;
    result.first[k] = builder_.constant(unit);
  }
  return result;
}

Expansion TaylorExpansion::expand(NodeId id) {
  const Node& node = builder_.graph()[id];
  switch (op_class(node.op)) {
    case OpClass::input:
      return input(id);
    case OpClass::unary:
      return unary(node);
    case OpClass::binary:
      return binary(node);
    case OpClass::select:
      return select(node);
    case OpClass::slice:
      return linear(argument(node.arguments[0]), [&](NodeId x) {
        return builder_.slice(full(x, builder_.length(node.arguments[0])), node.attributes[0],
                              node.length, node.attributes[1]);
      });
    case OpClass::gather: {
      const auto [extent, index_stride, length, stride, offset] = node.attributes;
      const NodeId index = argument(node.arguments[1]).value;
      return linear(argument(node.arguments[0]), [&](NodeId x) {
        return builder_.gather(full(x, builder_.length(node.arguments[0])), index,
                               {extent, index_stride, length, stride, offset});
      });
    }
    case OpClass::pack: {
      std::vector<Expansion> parts;
      for (const NodeId part : node.arguments) parts.push_back(argument(part));
      const auto packed = [&](const auto& entry) {
        std::vector<NodeId> nodes;
        for (std::size_t i = 0; i < parts.size(); ++i) {
          nodes.push_back(full(entry(parts[i]), builder_.length(node.arguments[i])));
        }
        return builder_.pack(nodes);
      };
      Expansion result =
          constant_expansion(packed([](const Expansion& x) -> Derivative { return x.value; }));
      for (std::size_t k = 0; k < first_count(); ++k) {
        const auto entry = [k](const Expansion& x) { return x.first[k]; };
        if (std::ranges::any_of(parts, [&](const auto& x) { return entry(x).has_value(); })) {
          result.first[k] = packed(entry);
        }
      }
      for (std::size_t k = 0; k < second_count(); ++k) {
        const auto entry = [k](const Expansion& x) { return x.second[k]; };
        if (std::ranges::any_of(parts, [&](const auto& x) { return entry(x).has_value(); })) {
          result.second[k] = packed(entry);
        }
      }
      return result;
    }
    case OpClass::reduction:
      if (node.op == Op::log_sum_exp) return log_sum_exp(node);
      if (node.op == Op::prod) return prod(node);
      if (node.op != Op::sum) return extreme(node);
      return linear(argument(node.arguments[0]), [&](NodeId x) {
        return builder_.sum(full(x, builder_.length(node.arguments[0])));
      });
    case OpClass::pair_reduction: {
      const std::int32_t length = builder_.common_length({node.arguments[0], node.arguments[1]});
      Expansion a = argument(node.arguments[0]);
      Expansion b = argument(node.arguments[1]);
      const auto dot = [&](NodeId x, NodeId y) {
        return builder_.dot(full(x, length), full(y, length));
      };
      if (node.op == Op::dot) return bilinear(a, b, dot);
      Expansion difference = constant_expansion(builder_.sub(a.value, b.value));
      const auto minus = [&](const Derivative& x, const Derivative& y) {
        return sum(x, y ? Derivative(builder_.neg(*y)) : y);
      };
      for (std::size_t k = 0; k < first_count(); ++k) {
        difference.first[k] = minus(a.first[k], b.first[k]);
      }
      for (std::size_t k = 0; k < second_count(); ++k) {
        difference.second[k] = minus(a.second[k], b.second[k]);
      }
      Expansion result = bilinear(difference, difference, dot);
      result.value = builder_.squared_distance(full(a.value, length), full(b.value, length));
      return result;
    }
    case OpClass::matmul: {
      const auto [rows, inner, columns, row_stride, column_stride] = node.attributes;
      const std::int32_t first = builder_.length(node.arguments[0]);
      return bilinear(argument(node.arguments[0]), argument(node.arguments[1]),
                      [&](NodeId x, NodeId y) {
                        return builder_.matmul(full(x, first), full(y, inner * columns),
                                               {rows, inner, columns, row_stride, column_stride});
                      });
    }
    case OpClass::solve_lower: {
      const NodeId factor = node.arguments[0];
      const NodeId inverse = node.arguments[1];
      if (depends(factor) || depends(inverse)) throw NoDerivative{node.op};
      const std::int32_t length = node.length;
      return linear(argument(node.arguments[2]), [&](NodeId x) {
        return builder_.solve_lower(factor, inverse, full(x, length));
      });
    }
    default:
      throw NoDerivative{node.op};
  }
}

template <class Form>
Expansion TaylorExpansion::linear(const Expansion& x, const Form& form) {
  Expansion result = constant_expansion(form(x.value));
  for (std::size_t k = 0; k < first_count(); ++k) {
    if (x.first[k]) result.first[k] = form(*x.first[k]);
  }
  for (std::size_t k = 0; k < second_count(); ++k) {
    if (x.second[k]) result.second[k] = form(*x.second[k]);
  }
  return result;
}

template <class Form>
Expansion TaylorExpansion::bilinear(const Expansion& a, const Expansion& b, const Form& form) {
  const auto product_of = [&](const Derivative& x, const Derivative& y) -> Derivative {
    if (!x || !y) return std::nullopt;
    return form(*x, *y);
  };
  Expansion result = constant_expansion(form(a.value, b.value));
  for (std::size_t k = 0; k < first_count(); ++k) {
    result.first[k] = sum(product_of(a.first[k], b.value), product_of(a.value, b.first[k]));
  }
  std::size_t at = 0;
  for (std::size_t k = 0; order_ > 1 && k < variables_.size(); ++k) {
    for (std::size_t l = 0; l <= k; ++l, ++at) {
      result.second[at] =
          sum(sum(product_of(a.second[at], b.value), product_of(a.value, b.second[at])),
              sum(product_of(a.first[k], b.first[l]), product_of(a.first[l], b.first[k])));
    }
  }
  return result;
}

Expansion TaylorExpansion::unary(const Node& node) {
  const Expansion x = argument(node.arguments[0]);
  Expansion result = constant_expansion(builder_.unary(node.op, x.value));
  if (order_ == 0) return result;
  const auto partials = unary_partials(builder_, node.op, x.value, result.value);
  if (!partials) throw NoDerivative{node.op};
  for (std::size_t k = 0; k < first_count(); ++k) {
    result.first[k] = product(partials->first, x.first[k]);
  }
  std::size_t at = 0;
  for (std::size_t k = 0; order_ > 1 && k < variables_.size(); ++k) {
    for (std::size_t l = 0; l <= k; ++l, ++at) {
      result.second[at] = sum(product(partials->second, product(x.first[k], x.first[l])),
                              product(partials->first, x.second[at]));
    }
  }
  return result;
}

Expansion TaylorExpansion::binary(const Node& node) {
  const Expansion a = argument(node.arguments[0]);
  const Expansion b = argument(node.arguments[1]);
  Expansion result = constant_expansion(builder_.binary(node.op, a.value, b.value));
  if (order_ == 0) return result;
  const auto partials = binary_partials(builder_, node.op, a.value, b.value,
                                        {depends(node.arguments[0]), depends(node.arguments[1])});
  if (!partials) throw NoDerivative{node.op};
  for (std::size_t k = 0; k < first_count(); ++k) {
    result.first[k] = sum(product(partials->a, a.first[k]), product(partials->b, b.first[k]));
  }
  std::size_t at = 0;
  for (std::size_t k = 0; order_ > 1 && k < variables_.size(); ++k) {
    for (std::size_t l = 0; l <= k; ++l, ++at) {
      const Derivative mixed =
          sum(product(a.first[k], b.first[l]), product(a.first[l], b.first[k]));
      Derivative total = product(partials->aa, product(a.first[k], a.first[l]));
      total = sum(total, product(partials->ab, mixed));
      total = sum(total, product(partials->bb, product(b.first[k], b.first[l])));
      total = sum(total, product(partials->a, a.second[at]));
      result.second[at] = sum(total, product(partials->b, b.second[at]));
    }
  }
  return result;
}

Expansion TaylorExpansion::select(const Node& node) {
  const NodeId mask = argument(node.arguments[0]).value;
  const Expansion yes = argument(node.arguments[1]);
  const Expansion no = argument(node.arguments[2]);
  Expansion result = constant_expansion(builder_.select(mask, yes.value, no.value));
  const auto chosen = [&](const Derivative& x, const Derivative& y) -> Derivative {
    if (!x && !y) return std::nullopt;
    const NodeId zero = builder_.constant(0.0);
    return builder_.select(mask, x.value_or(zero), y.value_or(zero));
  };
  for (std::size_t k = 0; k < first_count(); ++k) {
    result.first[k] = chosen(yes.first[k], no.first[k]);
  }
  for (std::size_t k = 0; k < second_count(); ++k) {
    result.second[k] = chosen(yes.second[k], no.second[k]);
  }
  return result;
}

Expansion TaylorExpansion::log_sum_exp(const Node& node) {
  const Expansion x = argument(node.arguments[0]);
  const std::int32_t length = builder_.length(node.arguments[0]);
  Expansion result = constant_expansion(builder_.log_sum_exp(full(x.value, length)));
  if (order_ == 0) return result;
  const NodeId shares = builder_.exp(builder_.sub(full(x.value, length), result.value));
  const auto mean = [&](const Derivative& values) -> Derivative {
    if (!values) return std::nullopt;
    return builder_.dot(shares, full(*values, length));
  };
  for (std::size_t k = 0; k < first_count(); ++k) result.first[k] = mean(x.first[k]);
  std::size_t at = 0;
  for (std::size_t k = 0; order_ > 1 && k < variables_.size(); ++k) {
    for (std::size_t l = 0; l <= k; ++l, ++at) {
      const Derivative both = product(result.first[k], result.first[l]);
      result.second[at] = sum(mean(sum(product(x.first[k], x.first[l]), x.second[at])),
                              both ? Derivative(builder_.neg(*both)) : both);
    }
  }
  return result;
}

// The least or largest entry of numbers without derivatives, such as the results of comparisons.
Expansion TaylorExpansion::extreme(const Node& node) {
  const Expansion x = argument(node.arguments[0]);
  const auto known = [](const Derivative& entry) { return entry.has_value(); };
  if (std::ranges::any_of(x.first, known) || std::ranges::any_of(x.second, known)) {
    throw NoDerivative{node.op};
  }
  return constant_expansion(
      builder_.reduce(node.op, full(x.value, builder_.length(node.arguments[0]))));
}

// One factor after another.
Expansion TaylorExpansion::prod(const Node& node) {
  const Expansion x = argument(node.arguments[0]);
  const std::int32_t length = builder_.length(node.arguments[0]);
  const auto factor = [&](std::int32_t i) {
    return linear(x, [&](NodeId part) { return builder_.element(full(part, length), i); });
  };
  Expansion result = factor(0);
  for (std::int32_t i = 1; i < length; ++i) {
    result = bilinear(result, factor(i), [&](NodeId a, NodeId b) { return builder_.mul(a, b); });
  }
  return result;
}

}  // namespace dpvi
