#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include <dpvi/base/error.hpp>
#include <dpvi/tape/lanes/uniform_function.hpp>
#include <tests/tape/tape_runner.hpp>

namespace dpvi {
namespace {

// A prior with transforms: ordered, simplex-like and scale parameters, and a matrix product.
NodeId some_prior(GraphBuilder& g) {
  const NodeId scale = g.exp(g.theta(0));
  const NodeId simplex = g.softmax(g.theta(1, 3));
  const NodeId first = g.theta(4);
  const NodeId second = g.add(first, g.exp(g.theta(5)));
  const NodeId ordered = g.pack({first, second, g.add(second, g.exp(g.theta(6)))});
  const NodeId product =
      g.matmul(g.theta(7, 6), ordered,
               {.rows = 2, .inner = 3, .columns = 1, .row_stride = 1, .column_stride = 2});
  const NodeId standardised = g.div(ordered, scale);
  return g.add(
      g.add(g.log_sum_exp(product), g.dot(simplex, standardised)),
      g.add(g.sum(g.log(simplex)), g.sub(g.unary(Op::lgamma, scale), g.reduce(Op::prod, ordered))));
}

TEST(UniformFunction, AgreesWithReference) {
  GraphBuilder g;
  const NodeId root = some_prior(g);
  const UniformFunction prior(g.graph(), root, 13);
  std::mt19937_64 random(4);
  for (int i = 0; i < 20; ++i) {
    const std::vector<double> theta = random_reals(random, 13);
    const ReferenceGradient expected = reference_gradient(g.graph(), root, theta);
    std::vector<double> gradient(13, std::nan(""));
    EXPECT_TRUE(close(prior.value_and_gradient(theta, gradient), expected.value, 1e-13));
    EXPECT_TRUE(close(prior.value(theta), expected.value, 1e-13));
    for (std::size_t j = 0; j < 13; ++j) {
      EXPECT_TRUE(close(gradient[j], expected.gradient[j], 1e-12)) << j;
    }
  }
}

TEST(UniformFunction, IsZeroSlopeWhereItIsNotFinite) {
  GraphBuilder g;
  const UniformFunction function(g.graph(), g.log(g.theta(0)), 1);
  std::vector<double> gradient(1, 5.0);
  EXPECT_TRUE(std::isnan(function.value_and_gradient(std::vector<double>{-1.0}, gradient)));
  EXPECT_EQ(gradient[0], 0.0);
}

TEST(UniformFunction, RefusesToReadARecord) {
  GraphBuilder g;
  EXPECT_THROW(UniformFunction(g.graph(), g.mul(g.theta(0), g.record_real(0)), 1), InternalError);
  const NodeId output = g.record_int(0);
  EXPECT_THROW(UniformValues(g.graph(), std::span(&output, 1), 1), InternalError);
}

TEST(UniformValues, GivesOutputsOneAfterTheOther) {
  GraphBuilder g;
  const NodeId x = g.theta(0, 4);
  const std::vector<NodeId> outputs = {g.exp(g.element(x, 1)), g.slice(x, 0, 2, 2), x,
                                       g.constant(7.0), g.broadcast(g.theta(3), 2)};
  const UniformValues values(g.graph(), outputs, 4);
  EXPECT_EQ(values.size(), 10U);
  EXPECT_EQ(values.evaluate(std::vector<double>{1.0, 0.0, 3.0, 4.0}),
            (std::vector<double>{1.0, 1.0, 3.0, 1.0, 0.0, 3.0, 4.0, 7.0, 4.0, 4.0}));
}

}  // namespace
}  // namespace dpvi
