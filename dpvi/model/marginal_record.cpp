#include <dpvi/model/marginal_record.hpp>

#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include <dpvi/model/gauss_hermite.hpp>

namespace dpvi {
namespace {

using Nodes = std::vector<NodeId>;

// A sum whose second part depends on the latent variables.
struct SplitSum {
  NodeId fixed;
  NodeId dependent;
};

void split_sum(GraphBuilder& builder, const TaylorExpansion& expansion, NodeId node, bool minus,
               SplitSum& sum) {
  const auto add = [&](NodeId& total) {
    total = minus ? builder.sub(total, node) : builder.add(total, node);
  };
  if (!expansion.depends(node)) return add(sum.fixed);
  const Node& content = builder.graph()[node];
  if (content.length == 1 && (content.op == Op::add || content.op == Op::sub)) {
    split_sum(builder, expansion, content.arguments[0], minus, sum);
    split_sum(builder, expansion, content.arguments[1], minus != (content.op == Op::sub), sum);
    return;
  }
  add(sum.dependent);
}

// A lower triangular matrix by rows: entry (k, l), l <= k, is at k (k + 1) / 2 + l.
std::size_t place(std::size_t k, std::size_t l) { return k * (k + 1) / 2 + l; }

// What the factorisation does with a pivot that is not positive.
enum class Pivot : std::uint8_t { replaced, not_a_number };

class MarginalBuilder {
 public:
  MarginalBuilder(GraphBuilder& builder, NodeId dependent, const LatentColumns& latent,
                  const MarginalSettings& settings)
      : builder_(builder),
        expansion_(builder, dependent, latent.first, latent.count),
        count_(static_cast<std::size_t>(latent.count)),
        settings_(settings) {}

  NodeId build() {
    const Nodes mode = differentiable(search());
    const Expansion here = expansion_.at(mode, 2);
    const bool quadrature = count_ <= 2;
    const Nodes factor =
        cholesky(curvature(here), quadrature ? Pivot::replaced : Pivot::not_a_number);
    NodeId log_volume = builder_.constant(0.0);  // log determinant of the inverse factor
    for (std::size_t k = 0; k < count_; ++k) {
      log_volume = builder_.sub(log_volume, builder_.log(factor[place(k, k)]));
    }
    const double dimensions = static_cast<double>(count_);
    if (quadrature) {
      const NodeId scale = builder_.constant(0.5 * dimensions * std::numbers::ln2);
      return builder_.add(quadrature_sum(mode, factor), builder_.add(log_volume, scale));
    }
    const NodeId scale = builder_.constant(0.5 * dimensions * std::log(2.0 * std::numbers::pi));
    return builder_.add(here.value, builder_.add(log_volume, scale));
  }

 private:
  NodeId zero() { return builder_.constant(0.0); }

  Nodes gradient(const Expansion& at) {
    Nodes result;
    for (const Derivative& entry : at.first) result.push_back(entry.value_or(zero()));
    return result;
  }

  // The negative matrix of second derivatives.
  Nodes curvature(const Expansion& at) {
    Nodes result;
    for (const Derivative& entry : at.second) {
      result.push_back(entry ? builder_.neg(*entry) : zero());
    }
    return result;
  }

  Nodes cholesky(const Nodes& matrix, Pivot rule) {
    constexpr double kSmallest = 1e-6;
    Nodes factor(matrix.size(), zero());
    for (std::size_t k = 0; k < count_; ++k) {
      for (std::size_t l = 0; l <= k; ++l) {
        NodeId rest = matrix[place(k, l)];
        for (std::size_t i = 0; i < l; ++i) {
          rest = builder_.sub(rest, builder_.mul(factor[place(k, i)], factor[place(l, i)]));
        }
        if (l < k) {
          factor[place(k, l)] = builder_.div(rest, factor[place(l, l)]);
          continue;
        }
        if (rule == Pivot::replaced) {
          const NodeId least = builder_.constant(kSmallest);
          const NodeId other = builder_.add(builder_.unary(Op::fabs, rest), least);
          rest = builder_.select(builder_.binary(Op::lt, least, rest), rest, other);
        }
        factor[place(k, k)] = builder_.unary(Op::sqrt, rest);
      }
    }
    return factor;
  }

  // The solution x of L' x = b.
  Nodes solve_transposed(const Nodes& factor, Nodes b) {
    for (std::size_t k = count_; k-- > 0;) {
      for (std::size_t i = k + 1; i < count_; ++i) {
        b[k] = builder_.sub(b[k], builder_.mul(factor[place(i, k)], b[i]));
      }
      b[k] = builder_.div(b[k], factor[place(k, k)]);
    }
    return b;
  }

  Nodes newton_step(const Expansion& at, const Nodes& factor) {
    Nodes b = gradient(at);
    for (std::size_t k = 0; k < count_; ++k) {
      for (std::size_t i = 0; i < k; ++i) {
        b[k] = builder_.sub(b[k], builder_.mul(factor[place(k, i)], b[i]));
      }
      b[k] = builder_.div(b[k], factor[place(k, k)]);
    }
    return solve_transposed(factor, std::move(b));
  }

  // Newton steps that only go up: a step that does not is undone, and the next is an eighth as
  // long.
  Nodes search() {
    Nodes point(count_, zero());
    Expansion best = expansion_.at(point, 2);
    NodeId length = builder_.constant(1.0);
    for (int i = 0; i < settings_.newton_steps; ++i) {
      const Nodes step = newton_step(best, cholesky(curvature(best), Pivot::replaced));
      Nodes candidate;
      for (std::size_t k = 0; k < count_; ++k) {
        candidate.push_back(builder_.add(point[k], builder_.mul(length, step[k])));
      }
      const Expansion there = expansion_.at(candidate, 2);
      const NodeId better =
          builder_.binary(Op::logical_or, builder_.binary(Op::le, best.value, there.value),
                          builder_.unary(Op::is_nan, best.value));
      for (std::size_t k = 0; k < count_; ++k) {
        point[k] = builder_.select(better, candidate[k], point[k]);
      }
      best.value = builder_.select(better, there.value, best.value);
      choose(better, there.first, best.first);
      choose(better, there.second, best.second);
      const NodeId longer = builder_.binary(Op::min, builder_.constant(1.0),
                                            builder_.mul(builder_.constant(8.0), length));
      length = builder_.select(better, longer, builder_.mul(builder_.constant(0.125), length));
    }
    return point;
  }

  void choose(NodeId mask, const std::vector<Derivative>& from, std::vector<Derivative>& to) {
    for (std::size_t i = 0; i < to.size(); ++i) {
      if (!from[i] && !to[i]) continue;
      to[i] = builder_.select(mask, from[i].value_or(zero()), to[i].value_or(zero()));
    }
  }

  // The number on a fine grid, which has no derivative.
  NodeId held(NodeId x) {
    constexpr double kSteps = 0x1p20;
    const NodeId on_grid = builder_.unary(Op::round, builder_.mul(x, builder_.constant(kSteps)));
    return builder_.mul(on_grid, builder_.constant(1.0 / kSteps));
  }

  // The mode as a function of theta: one more Newton step from the point that the search found. The
  // derivative of that step is the derivative of the mode, by the implicit function theorem. Far
  // from a mode the step is left out, and the point has no derivative.
  Nodes differentiable(const Nodes& found) {
    constexpr double kConverged = 0.1;  // expected gain in log density
    Nodes point;
    for (const NodeId entry : found) point.push_back(held(entry));
    const Expansion here = expansion_.at(point, 2);
    Nodes fixed = curvature(here);
    for (NodeId& entry : fixed) entry = held(entry);
    const Nodes step = newton_step(here, cholesky(fixed, Pivot::replaced));
    const Nodes slope = gradient(here);
    NodeId gain = zero();
    for (std::size_t k = 0; k < count_; ++k) {
      gain = builder_.add(gain, builder_.mul(slope[k], step[k]));
    }
    const NodeId near = builder_.binary(Op::lt, gain, builder_.constant(kConverged));
    for (std::size_t k = 0; k < count_; ++k) {
      point[k] = builder_.add(point[k], builder_.select(near, step[k], zero()));
    }
    return point;
  }

  // log of the weighted sum of densities at the points mode + sqrt(2) L'^-1 x.
  NodeId quadrature_sum(const Nodes& mode, const Nodes& factor) {
    const GaussHermite rule = gauss_hermite(count_ == 1 ? settings_.nodes_in_one_dimension
                                                        : settings_.nodes_in_two_dimensions);
    Nodes values;
    std::vector<double> log_weights;
    const auto add_point = [&](const std::vector<double>& x, double log_weight) {
      Nodes offset;
      double square = 0.0;
      for (const double entry : x) {
        offset.push_back(builder_.constant(std::numbers::sqrt2 * entry));
        square += entry * entry;
      }
      offset = solve_transposed(factor, std::move(offset));
      for (std::size_t k = 0; k < count_; ++k) offset[k] = builder_.add(mode[k], offset[k]);
      values.push_back(expansion_.at(offset, 0).value);
      log_weights.push_back(log_weight + square);
    };
    for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
      if (count_ == 1) {
        add_point({rule.nodes[i]}, rule.log_weights[i]);
        continue;
      }
      for (std::size_t j = 0; j < rule.nodes.size(); ++j) {
        add_point({rule.nodes[i], rule.nodes[j]}, rule.log_weights[i] + rule.log_weights[j]);
      }
    }
    return builder_.log_sum_exp(
        builder_.add(builder_.pack(values), builder_.constant(log_weights)));
  }

  GraphBuilder& builder_;
  TaylorExpansion expansion_;
  std::size_t count_;
  const MarginalSettings& settings_;
};

}  // namespace

NodeId marginal_record(GraphBuilder& builder, NodeId joint, const LatentColumns& latent,
                       const MarginalSettings& settings) {
  const TaylorExpansion whole(builder, joint, latent.first, latent.count);
  SplitSum sum{builder.constant(0.0), builder.constant(0.0)};
  split_sum(builder, whole, joint, false, sum);
  return builder.add(sum.fixed, MarginalBuilder(builder, sum.dependent, latent, settings).build());
}

std::string marginal_method(std::int32_t latent_count, const MarginalSettings& settings) {
  if (latent_count == 1) {
    return fmt::format("adaptive Gauss-Hermite quadrature, {} nodes",
                       settings.nodes_in_one_dimension);
  }
  if (latent_count == 2) {
    return fmt::format("adaptive Gauss-Hermite quadrature, {0} x {0} nodes",
                       settings.nodes_in_two_dimensions);
  }
  return fmt::format("Laplace's method in {} dimensions", latent_count);
}

}  // namespace dpvi
