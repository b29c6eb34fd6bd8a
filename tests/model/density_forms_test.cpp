#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <dpvi/model/stan_functions.hpp>
#include <dpvi/tape/graph/reachable.hpp>
#include <dpvi/tape/reference/reference_evaluator.hpp>

namespace dpvi {
namespace {

// Tests the form of the density graphs, and the arguments for which they are more accurate than
// Stan.

NodeId call(GraphBuilder& builder, const char* name, const std::vector<NodeId>& nodes) {
  std::vector<ShapedNode> arguments;
  for (const NodeId node : nodes) arguments.push_back({node, builder.length(node), 1});
  return (*stan_functions().find(name))(builder, arguments);
}

NodeId linear_predictor(GraphBuilder& builder) {
  return builder.add(builder.theta(0), builder.dot(builder.theta(1, 3), builder.record_real(1, 3)));
}

// Counts comparisons and selections among the nodes that are evaluated for every record and draw.
int lane_checks(const Graph& graph, NodeId root) {
  int count = 0;
  for (const NodeId id : reachable_from(graph, std::array{root})) {
    const Node& node = graph[id];
    const bool checks = node.op == Op::select || is_step(node.op);
    if (node.space == Space::lane && checks) ++count;
  }
  return count;
}

TEST(DensityForms, RegressionsCheckNothingInLanes) {
  GraphBuilder g;
  const NodeId eta = linear_predictor(g);
  const NodeId real = g.record_real(0);
  const NodeId count = g.record_int(0);
  const NodeId scale = g.exp(g.theta(4));
  EXPECT_EQ(lane_checks(g.graph(), call(g, "normal_lpdf", {real, eta, scale})), 0);
  EXPECT_EQ(lane_checks(g.graph(), call(g, "student_t_lpdf", {real, scale, eta, scale})), 0);
  EXPECT_EQ(lane_checks(g.graph(), call(g, "bernoulli_logit_lpmf", {count, eta})), 0);
  EXPECT_EQ(lane_checks(g.graph(), call(g, "poisson_log_lpmf", {count, eta})), 0);
  EXPECT_EQ(lane_checks(g.graph(), call(g, "neg_binomial_2_log_lpmf", {count, eta, scale})), 0);
  EXPECT_EQ(lane_checks(g.graph(), call(g, "ordered_logistic_lpmf", {count, eta, g.theta(5, 3)})),
            0);
}

TEST(DensityForms, ALinearModelIsTheDensityAtItsPredictor) {
  GraphBuilder g;
  const ShapedNode y{g.record_int(0), 1, 1};
  const ShapedNode x{g.record_real(1, 3), 1, 3};
  const std::array arguments = {y, x, ShapedNode{g.theta(0)}, ShapedNode{g.theta(1, 3), 3, 1}};
  const NodeId glm = (*stan_functions().find("bernoulli_logit_glm_lpmf"))(g, arguments);
  EXPECT_EQ(glm, call(g, "bernoulli_logit_lpmf", {g.record_int(0), linear_predictor(g)}));
}

// inv_logit(40) rounds to 1 in double precision, where Stan's density of 0 is -inf.
TEST(DensityForms, InverseLogitsOfRecordsKeepTheirDigits) {
  GraphBuilder g;
  const NodeId eta = g.mul(g.theta(0), g.record_real(0));
  const NodeId p = g.unary(Op::inv_logit, eta);
  const NodeId bernoulli = call(g, "bernoulli_lpmf", {g.record_int(0), p});
  const NodeId binomial = call(g, "binomial_lpmf", {g.record_int(0), g.record_int(1), p});
  const std::vector<double> reals = {1.0};
  const std::vector<std::int32_t> ints = {0, 2};
  const std::vector<double> theta = {40.0};
  const auto one = reference_gradient(g.graph(), bernoulli, theta, {reals, ints});
  EXPECT_DOUBLE_EQ(one.value, -40.0);
  EXPECT_DOUBLE_EQ(one.gradient[0], -1.0);
  EXPECT_DOUBLE_EQ(reference_values(g.graph(), binomial, theta, {reals, ints})[0], -80.0);
}

TEST(DensityForms, RatesThatAreExponentialsAreReadAsLogRates) {
  GraphBuilder g;
  const NodeId eta = linear_predictor(g);
  const NodeId root = call(g, "poisson_lpmf", {g.record_int(0), g.exp(eta)});
  for (const NodeId id : reachable_from(g.graph(), std::array{root})) {
    EXPECT_NE(g.graph()[id].op, Op::log);
  }
}

// Calls a density with constant arguments, so that it folds to a constant.
double constant_call(const char* name, const std::vector<std::vector<double>>& arguments) {
  GraphBuilder g;
  std::vector<NodeId> nodes;
  for (const auto& values : arguments) nodes.push_back(g.constant(values));
  return reference_values(g.graph(), call(g, name, nodes), {})[0];
}

// Stan checks every argument before it evaluates a limit.
TEST(DensityForms, RulesHoldWhereTheBrokenArgumentWouldNotMatter) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(constant_call("binomial_lpmf", {{0}, {0}, {1.1}})));
  EXPECT_TRUE(std::isnan(constant_call("multinomial_lpmf", {{0, 0}, {0.5, 0.6}})));
  EXPECT_TRUE(std::isnan(constant_call("bernoulli_lcdf", {{1}, {1.1}})));
  EXPECT_TRUE(std::isnan(constant_call("bernoulli_lccdf", {{-1}, {1.1}})));
  EXPECT_TRUE(std::isnan(constant_call("weibull_lccdf", {{0.0}, {1.7}, {-1.0}})));
  EXPECT_TRUE(std::isnan(constant_call("lognormal_lccdf", {{0.0}, {inf}, {1.0}})));
  EXPECT_TRUE(std::isnan(constant_call("pareto_lccdf", {{0.05}, {0.1}, {-1.0}})));
  EXPECT_TRUE(std::isnan(constant_call("uniform_lccdf", {{5.0}, {2.0}, {1.0}})));
  EXPECT_TRUE(std::isnan(constant_call("poisson_lpmf", {{0}, {-1.0}})));
  EXPECT_TRUE(std::isnan(constant_call("inv_gamma_lpdf", {{-1.0}, {inf}, {1.0}})));
  EXPECT_EQ(constant_call("binomial_lpmf", {{0}, {0}, {1.0}}), 0.0);
  EXPECT_EQ(constant_call("multinomial_lpmf", {{0, 0}, {1.0, 0.0}}), 0.0);
}

double tail(const char* name, double y) {
  GraphBuilder g;
  const NodeId root = call(g, name, {g.constant(y), g.theta(0), g.theta(1)});
  return reference_values(g.graph(), root, std::vector{0.0, 1.0})[0];
}

TEST(DensityForms, TailsStayAccurateWhereTheProbabilityRoundsToOne) {
  // Mills' ratio to four terms has an error below 105 / y^8.
  const double y = 40.0;
  const double mills = (1.0 - 1.0 / (y * y) + 3.0 / std::pow(y, 4) - 15.0 / std::pow(y, 6)) / y;
  const double expected = -0.5 * y * y - 0.5 * std::log(2.0 * std::numbers::pi) + std::log(mills);
  EXPECT_NEAR(tail("normal_lccdf", y), expected, 1e-10);
  EXPECT_NEAR(tail("normal_lcdf", -y), expected, 1e-10);
  EXPECT_NEAR(tail("logistic_lccdf", 300.0), -300.0, 1e-12);
  EXPECT_NEAR(tail("cauchy_lcdf", -1e12), std::log(1e-12 / std::numbers::pi), 1e-12);
  EXPECT_NEAR(tail("gumbel_lccdf", 50.0), -50.0, 1e-12);
}

}  // namespace
}  // namespace dpvi
