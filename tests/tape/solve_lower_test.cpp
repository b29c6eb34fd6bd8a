#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include <dpvi/tape/graph/graph_builder.hpp>
#include <dpvi/tape/reference/reference_evaluator.hpp>
#include <tests/tape/every_backend.hpp>
#include <tests/tape/tape_runner.hpp>

namespace dpvi {
namespace {

constexpr std::int32_t kSize = 3;

// A lower triangular matrix of six numbers, given by rows with a logarithmic diagonal, and its
// inverse, which the caller of solve_lower must supply.
struct Factor {
  NodeId matrix;
  NodeId inverse;
};

Factor make_factor(GraphBuilder& g, NodeId numbers) {
  const NodeId zero = g.constant(0.0);
  const auto number = [&](std::int32_t i) { return g.element(numbers, i); };
  const NodeId a = g.exp(number(0));
  const NodeId b = number(1);
  const NodeId c = g.exp(number(2));
  const NodeId d = number(3);
  const NodeId e = number(4);
  const NodeId f = g.exp(number(5));
  const NodeId below = g.neg(g.div(b, g.mul(a, c)));
  const NodeId corner = g.sub(g.div(g.mul(b, e), g.mul(a, g.mul(c, f))), g.div(d, g.mul(a, f)));
  const NodeId last = g.neg(g.div(e, g.mul(c, f)));
  return {g.pack({a, b, d, zero, c, e, zero, zero, f}),
          g.pack({g.inv(a), below, corner, zero, g.inv(c), last, zero, zero, g.inv(f)})};
}

std::vector<double> substituted(const std::vector<double>& numbers, const std::vector<double>& b) {
  const double x = b[0] / std::exp(numbers[0]);
  const double y = (b[1] - numbers[1] * x) / std::exp(numbers[2]);
  const double z = (b[2] - numbers[3] * x - numbers[4] * y) / std::exp(numbers[5]);
  return {x, y, z};
}

// The weights distinguish the entries of the solution.
NodeId weighed(GraphBuilder& g, NodeId z) {
  return g.add(g.dot(z, z), g.dot(g.constant(std::vector<double>{1.0, -2.0, 0.5}), z));
}

double weighed(const std::vector<double>& z) {
  return z[0] * z[0] + z[1] * z[1] + z[2] * z[2] + z[0] - 2.0 * z[1] + 0.5 * z[2];
}

// The factor comes from theta or, if per_lane_factor is set, from theta and the record.
struct Model {
  GraphBuilder g;
  NodeId root;
  explicit Model(bool per_lane_factor) {
    const NodeId numbers =
        per_lane_factor ? g.mul(g.theta(0, 6), g.record_real(3, 6)) : g.theta(0, 6);
    const Factor factor = make_factor(g, numbers);
    const NodeId b = g.sub(g.record_real(0, kSize), g.theta(6, kSize));
    root = weighed(g, g.solve_lower(factor.matrix, factor.inverse, b));
  }
};

double by_plain_loop(bool per_lane_factor, const std::vector<double>& theta,
                     const TestRecord& record) {
  std::vector<double> numbers(theta.begin(), theta.begin() + 6);
  std::vector<double> b;
  for (std::size_t i = 0; per_lane_factor && i < 6; ++i) numbers[i] *= record.reals[3 + i];
  for (std::size_t i = 0; i < 3; ++i) b.push_back(record.reals[i] - theta[6 + i]);
  return weighed(substituted(numbers, b));
}

class SolveLower : public EveryBackend {};

TEST_P(SolveLower, ValuesAreThoseOfSubstitutionAndDerivativesThoseOfDifferences) {
  std::mt19937_64 random(11);
  for (const bool per_lane_factor : {false, true}) {
    Model model(per_lane_factor);
    TapeRunner runner(model.g.graph(), model.root, 9, GetParam());
    std::vector<double> theta = random_reals(random, 9);
    std::vector<TestRecord> records;
    for (int l = 0; l < kLanes; ++l) records.push_back({random_reals(random, 9), {}});
    const LaneResults results = runner.run(theta, records);
    for (std::size_t l = 0; l < records.size(); ++l) {
      ASSERT_TRUE(close(results.log_density[l], by_plain_loop(per_lane_factor, theta, records[l])));
      for (std::size_t j = 0; j < theta.size(); ++j) {
        constexpr double kStep = 1e-5;
        std::vector<double> up = theta;
        std::vector<double> down = theta;
        up[j] += kStep;
        down[j] -= kStep;
        const double slope = (by_plain_loop(per_lane_factor, up, records[l]) -
                              by_plain_loop(per_lane_factor, down, records[l])) /
                             (2.0 * kStep);
        ASSERT_TRUE(close(results.gradient[j * kLanes + l], slope, 1e-6)) << "parameter " << j;
      }
    }
  }
}

TEST_P(SolveLower, SinglePrecisionAgreesWithDouble) {
  std::mt19937_64 random(12);
  Model model(false);
  const std::vector<double> theta = random_reals(random, 9);
  const std::vector<TestRecord> records = {{random_reals(random, 9), {}}};
  const LaneResults exact =
      TapeRunner(model.g.graph(), model.root, 9, GetParam()).run(theta, records);
  const LaneResults rounded =
      TapeRunner<float>(model.g.graph(), model.root, 9, GetParam()).run(theta, records);
  EXPECT_TRUE(close(rounded.log_density[0], exact.log_density[0], 1e-5));
  for (std::size_t j = 0; j < theta.size(); ++j) {
    EXPECT_TRUE(close(rounded.gradient[j * kLanes], exact.gradient[j * kLanes], 1e-5));
  }
}

TEST_P(SolveLower, SolutionsOfParametersAloneHaveTheirDerivativesToo) {
  GraphBuilder g;
  const Factor factor = make_factor(g, g.theta(0, 6));
  const NodeId b = g.exp(g.theta(6, kSize));
  const NodeId root =
      g.mul(weighed(g, g.solve_lower(factor.matrix, factor.inverse, b)), g.record_real(0));
  std::mt19937_64 random(13);
  const std::vector<double> theta = random_reals(random, 9);
  const TestRecord record{{1.5}, {}};
  const LaneResults results = TapeRunner(g.graph(), root, 9, GetParam()).run(theta, {record});
  const ReferenceGradient expected = reference_gradient(g.graph(), root, theta, record.values());
  EXPECT_TRUE(close(results.log_density[0], expected.value));
  for (std::size_t j = 0; j < theta.size(); ++j) {
    EXPECT_TRUE(close(results.gradient[j * kLanes], expected.gradient[j]));
  }
}

// One factor and two vectors, one of them a slice of theta: their adjoints add up in the factor.
TEST_P(SolveLower, FactorsAndVectorsUsedTwiceCollectBothDerivatives) {
  GraphBuilder g;
  const Factor factor = make_factor(g, g.theta(0, 6));
  const NodeId b = g.mul(g.record_real(0, kSize), g.theta(6, kSize));
  const NodeId first = g.solve_lower(factor.matrix, factor.inverse, b);
  const NodeId second = g.solve_lower(factor.matrix, factor.inverse, g.theta(6, kSize));
  const NodeId root =
      g.add(g.add(weighed(g, first), g.sum(g.exp(b))),
            g.mul(g.record_real(0), g.add(weighed(g, second), g.sum(factor.matrix))));
  std::mt19937_64 random(14);
  const std::vector<double> theta = random_reals(random, 9);
  const TestRecord record{random_reals(random, 3), {}};
  const LaneResults results = TapeRunner(g.graph(), root, 9, GetParam()).run(theta, {record});
  const ReferenceGradient expected = reference_gradient(g.graph(), root, theta, record.values());
  EXPECT_TRUE(close(results.log_density[0], expected.value));
  for (std::size_t j = 0; j < theta.size(); ++j) {
    EXPECT_TRUE(close(results.gradient[j * kLanes], expected.gradient[j])) << "parameter " << j;
  }
}

// Guarantee: a zero adjoint pulls back exactly zero, even where the derivative is infinite or NaN.
TEST_P(SolveLower, ZeroAdjointPullsBackExactlyZeroThroughASingularFactor) {
  GraphBuilder g;
  const Factor factor = make_factor(g, g.mul(g.theta(0, 6), g.record_real(0)));
  const NodeId b = g.mul(g.theta(6, kSize), g.record_real(0));
  const NodeId wild = weighed(g, g.solve_lower(factor.matrix, factor.inverse, b));
  const NodeId mask = g.binary(Op::lt, g.record_real(1), g.constant(0.0));
  const NodeId root = g.select(mask, wild, g.square(g.theta(0)));
  for (const double x : {-1e4, 1e4, HUGE_VAL, std::nan("")}) {
    const LaneResults results = TapeRunner(g.graph(), root, 9, GetParam())
                                    .run({1.5, 1, 1, 1, 1, 1, 1, 1, 1}, {{{x, 1.0}, {}}});
    EXPECT_EQ(results.log_density[0], 2.25);
    EXPECT_EQ(results.gradient[0], 3.0);
    for (std::size_t j = 1; j < 9; ++j) EXPECT_EQ(results.gradient[j * kLanes], 0.0);
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, SolveLower, kEveryBackend, name_of_backend);

}  // namespace
}  // namespace dpvi
