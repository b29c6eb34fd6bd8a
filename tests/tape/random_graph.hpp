#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include <dpvi/tape/graph/graph_builder.hpp>
#include <tests/tape/tape_runner.hpp>

namespace dpvi {

inline constexpr std::int32_t kRandomTheta = 12;
inline constexpr std::int32_t kRandomReals = 10;
inline constexpr std::int32_t kRandomInts = 4;

// Random valid expressions over parameters, record columns and constants in every combination of
// spaces, shaped so that most values stay finite.
class RandomGraph {
 public:
  explicit RandomGraph(std::uint64_t seed) : random_(seed) {}

  GraphBuilder& builder() { return builder_; }

  NodeId scalar_root(int operations) {
    std::vector<NodeId> pool;
    for (int i = 0; i < 6; ++i) pool.push_back(leaf());
    for (int i = 0; i < operations; ++i) pool.push_back(operation(pool));
    // Every node contributes to the root, so none is dead.
    NodeId root = builder_.constant(0.0);
    for (std::size_t i = 6; i < pool.size(); ++i) {
      root = builder_.add(root, builder_.sum(builder_.unary(Op::tanh, pool[i])));
    }
    return root;
  }

 private:
  std::int32_t below(std::int32_t n) {
    return static_cast<std::int32_t>(random_() % static_cast<std::uint64_t>(n));
  }
  NodeId any(const std::vector<NodeId>& pool) {
    return pool[static_cast<std::size_t>(below(static_cast<std::int32_t>(pool.size())))];
  }

  NodeId leaf() {
    const std::int32_t length = below(3) == 0 ? 1 : kLength;
    switch (below(4)) {
      case 0:
        return builder_.theta(below(kRandomTheta - length), length);
      case 1:
        return builder_.record_real(below(kRandomReals - length), length);
      case 2: {
        std::vector<double> values;
        for (std::int32_t i = 0; i < length; ++i) values.push_back(below(200) / 100.0 - 1.0);
        return builder_.constant(values);
      }
      default:
        return builder_.mul(builder_.theta(below(kRandomTheta - length), length),
                            builder_.record_real(below(kRandomReals - length), length));
    }
  }

  NodeId unary(NodeId x) {
    static constexpr Op kOps[] = {
        Op::neg,     Op::square,    Op::sin,           Op::cos,           Op::atan,
        Op::tanh,    Op::inv_logit, Op::log_inv_logit, Op::log1p_exp,     Op::phi,
        Op::log_phi, Op::fabs,      Op::expm1,         Op::log_bessel_i0, Op::floor};
    static constexpr Op kPositive[] = {Op::log,     Op::sqrt, Op::lgamma,
                                       Op::digamma, Op::inv,  Op::log1p};
    if (below(3) == 0) {
      const NodeId positive =
          builder_.add(builder_.constant(0.5), builder_.unary(Op::log1p_exp, x));
      return builder_.unary(kPositive[below(6)], positive);
    }
    if (below(6) == 0) return builder_.exp(builder_.unary(Op::tanh, x));
    return builder_.unary(kOps[below(15)], x);
  }

  NodeId binary(NodeId a, NodeId b) {
    switch (below(9)) {
      case 0:
        return builder_.add(a, b);
      case 1:
        return builder_.sub(a, b);
      case 2:
        return builder_.mul(a, builder_.unary(Op::tanh, b));
      case 3:
        return builder_.div(a, builder_.add(builder_.constant(1.0), builder_.square(b)));
      case 4:
        return builder_.binary(below(2) == 0 ? Op::min : Op::max, a, b);
      case 5:
        return builder_.select(builder_.binary(Op::lt, a, b), builder_.mul(a, b), b);
      case 6:
        return builder_.binary(Op::pow, builder_.exp(builder_.unary(Op::tanh, a)), b);
      case 7:
        return builder_.select(
            builder_.binary(Op::le, builder_.record_int(0), builder_.constant(1.0)), a, b);
      default:
        return builder_.sub(builder_.constant(1.0), builder_.binary(Op::logical_or, a, b));
    }
  }

  NodeId reduction(NodeId x, NodeId y) {
    switch (below(8)) {
      case 0:
        return builder_.log_sum_exp(x);
      case 1:
        return builder_.reduce(Op::prod, builder_.unary(Op::tanh, x));
      case 2:
        return builder_.reduce(Op::max_of, x);
      case 3:
        return builder_.reduce(Op::min_of, x);
      case 4:
        return builder_.sum(x);
      case 5:
        return builder_.squared_distance(x, y);
      default:
        return builder_.dot(x, y);
    }
  }

  NodeId structure(NodeId x, NodeId y) {
    const std::int32_t n = builder_.length(x);
    switch (below(5)) {
      case 0:
        return builder_.slice(builder_.pack({x, y}), 0, kLength <= n ? kLength : 1);
      case 1:
        return builder_.element(x, below(n));
      case 2:
        return builder_.gather(x, builder_.record_int(below(kRandomInts)), {.extent = n});
      case 3: {
        if (n < kLength) return builder_.broadcast(x, kLength);
        return builder_.slice(x, 0, kLength / 2, 2);
      }
      default: {
        if (n != kLength || builder_.length(y) != kLength) return builder_.pack({x, y, x});
        // Multiplies 2 x 2 by 2 x 2, with the first matrix stored by rows.
        return builder_.matmul(
            x, y, {.rows = 2, .inner = 2, .columns = 2, .row_stride = 2, .column_stride = 1});
      }
    }
  }

  NodeId operation(const std::vector<NodeId>& pool) {
    const NodeId x = any(pool);
    NodeId y = any(pool);
    if (builder_.length(x) != builder_.length(y) && builder_.length(x) != 1) {
      y = builder_.element(y, 0);
    }
    switch (below(4)) {
      case 0:
        return unary(x);
      case 1:
        return binary(x, y);
      case 2:
        return reduction(x, y);
      default:
        return structure(x, y);
    }
  }

  static constexpr std::int32_t kLength = 4;
  GraphBuilder builder_;
  std::mt19937_64 random_;
};

inline std::vector<TestRecord> random_records(std::mt19937_64& random, int count) {
  std::vector<TestRecord> records;
  for (int i = 0; i < count; ++i) {
    TestRecord record{random_reals(random, kRandomReals), {}};
    for (std::int32_t k = 0; k < kRandomInts; ++k) {
      record.ints.push_back(static_cast<std::int32_t>(random() % 3));
    }
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace dpvi
