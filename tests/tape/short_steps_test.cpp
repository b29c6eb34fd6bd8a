#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <random>

#include <dpvi/tape/graph/graph_builder.hpp>
#include <tests/tape/tape_runner.hpp>

namespace dpvi {
namespace {

constexpr std::int32_t kEntries = 4;  // too many for short steps
constexpr std::int32_t kTheta = 2 * kEntries + 1;

// Inputs of a formula, for one entry or for all: parameters, record values, both, and a scalar.
struct Inputs {
  NodeId theta;
  NodeId other_theta;
  NodeId data;
  NodeId lane;
  NodeId scalar;
};

Inputs inputs(GraphBuilder& g, std::int32_t first, std::int32_t count) {
  const NodeId data = g.record_real(first, count);
  return {g.theta(first, count), g.theta(kEntries + first, count), data,
          g.unary(Op::tanh, g.mul(g.theta(first, count), data)), g.theta(2 * kEntries)};
}

using Formula = std::function<NodeId(GraphBuilder&, const Inputs&)>;

const std::vector<Formula>& formulas() {
  static const std::vector<Formula> kAll = [] {
    std::vector<Formula> result;
    for (const Op op : {Op::add, Op::sub, Op::mul, Op::lt, Op::le, Op::eq, Op::ne, Op::logical_and,
                        Op::logical_or}) {
      result.push_back([op](GraphBuilder& g, const Inputs& in) {
        return g.add(g.binary(op, in.lane, in.theta), g.binary(op, in.data, in.lane));
      });
      result.push_back([op](GraphBuilder& g, const Inputs& in) {
        return g.add(g.binary(op, in.scalar, in.lane), g.binary(op, in.lane, in.lane));
      });
    }
    for (const Op op : {Op::neg, Op::exp, Op::square, Op::logical_not}) {
      result.push_back(
          [op](GraphBuilder& g, const Inputs& in) { return g.mul(in.data, g.unary(op, in.lane)); });
    }
    result.emplace_back([](GraphBuilder& g, const Inputs& in) {
      return g.select(g.binary(Op::lt, in.lane, in.other_theta), g.mul(in.lane, in.theta),
                      g.exp(in.other_theta));
    });
    result.emplace_back([](GraphBuilder& g, const Inputs& in) {
      return g.mul(g.square(g.sub(in.data, in.lane)), g.exp(g.neg(in.scalar)));
    });
    return result;
  }();
  return kAll;
}

// The sum over entries, by operations on vectors and by operations on scalars. The outer function
// keeps the builder from turning one into the other.
NodeId of_vectors(GraphBuilder& g, const Formula& formula) {
  return g.sum(g.unary(Op::atan, formula(g, inputs(g, 0, kEntries))));
}

NodeId of_scalars(GraphBuilder& g, const Formula& formula) {
  NodeId total = g.constant(0.0);
  for (std::int32_t i = 0; i < kEntries; ++i) {
    total = g.add(total, g.unary(Op::atan, formula(g, inputs(g, i, 1))));
  }
  return total;
}

template <class T>
void expect_same_bits(BackendKind backend) {
  std::mt19937_64 random(5);
  const std::vector<double> theta = random_reals(random, kTheta);
  std::vector<TestRecord> records;
  for (int l = 0; l < kLanes; ++l) records.push_back({random_reals(random, kEntries), {}});
  records[3].reals[1] = std::nan("");
  records[4].reals[0] = HUGE_VAL;
  for (std::size_t number = 0; number < formulas().size(); ++number) {
    GraphBuilder g;
    const NodeId vectors = of_vectors(g, formulas()[number]);
    const NodeId scalars = of_scalars(g, formulas()[number]);
    ASSERT_NE(vectors, scalars);
    const LaneResults a = TapeRunner<T>(g.graph(), vectors, kTheta, backend).run(theta, records);
    const LaneResults b = TapeRunner<T>(g.graph(), scalars, kTheta, backend).run(theta, records);
    for (std::size_t l = 0; l < kLanes; ++l) {
      ASSERT_TRUE(close(a.log_density[l], b.log_density[l], 0.0)) << "formula " << number;
    }
    // The scalar parameter sums its entries' contributions in another order.
    for (std::size_t i = 0; i < (kTheta - 1) * kLanes; ++i) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(a.gradient[i]),
                std::bit_cast<std::uint64_t>(b.gradient[i]))
          << "formula " << number << " at " << i << ": " << a.gradient[i] << ", " << b.gradient[i];
    }
    for (std::size_t i = (kTheta - 1) * kLanes; i < a.gradient.size(); ++i) {
      ASSERT_TRUE(close(a.gradient[i], b.gradient[i], 1e-5)) << "formula " << number;
    }
  }
}

TEST(ShortSteps, GiveTheBitsOfTheInstructionsTheyStandFor) {
  for (const BackendKind backend : available_backends()) {
    expect_same_bits<double>(backend);
    expect_same_bits<float>(backend);
  }
}

}  // namespace
}  // namespace dpvi
