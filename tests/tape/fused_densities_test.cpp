#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <dpvi/tape/graph/expression.hpp>
#include <dpvi/tape/graph/fused_densities.hpp>
#include <tests/tape/tape_runner.hpp>

namespace dpvi {
namespace {

double log_normal_density(double y, double mu, double sigma) {
  const double z = (y - mu) / sigma;
  return -0.5 * z * z - std::log(sigma) - 0.5 * std::log(2.0 * std::numbers::pi);
}

TEST(FusedDensities, NormalIsTheSumOfItsDensitiesWhicheverArgumentsAreVectors) {
  const std::vector<double> theta = {0.3, -0.8, 1.7, 0.4, 1.2, 2.5};  // means, then sds
  const TestRecord record = {{1.0, -2.0, 0.5}, {}};
  for (int vectors = 0; vectors < 8; ++vectors) {
    GraphBuilder g;
    const auto length = [&](int bit) { return (vectors >> bit & 1) != 0 ? 3 : 1; };
    const NodeId root = normal_log_density_sum(g, g.record_real(0, length(0)),
                                               g.theta(0, length(1)), g.theta(3, length(2)));
    double expected = 0.0;
    for (std::size_t i = 0; i < (vectors == 0 ? 1 : 3); ++i) {
      expected +=
          log_normal_density(record.reals[length(0) == 1 ? 0 : i], theta[length(1) == 1 ? 0 : i],
                             theta[length(2) == 1 ? 3 : 3 + i]);
    }
    const LaneResults results = TapeRunner(g.graph(), root, 6).run(theta, {record});
    EXPECT_NEAR(results.log_density[0], expected, 1e-13) << vectors;
    const ReferenceGradient reference = reference_gradient(g.graph(), root, theta, record.values());
    for (std::size_t j = 0; j < 6; ++j) {
      EXPECT_NEAR(results.gradient[j * kLanes], reference.gradient[j], 1e-12) << vectors;
    }
  }
}

TEST(FusedDensities, NormalOfNothingIsZero) {
  GraphBuilder g;
  EXPECT_EQ(normal_log_density_sum(g, g.record_real(0, 0), g.theta(0), g.theta(1)),
            g.constant(0.0));
}

TEST(FusedDensities, BernoulliLogitIsAccurateInBothTails) {
  GraphBuilder g;
  const NodeId root = bernoulli_logit_log_density_sum(g, g.record_int(0), g.theta(0));
  TapeRunner runner(g.graph(), root, 1);
  const std::vector<TestRecord> records = {{{}, {0}}, {{}, {1}}};
  for (const double eta : {-800.0, -40.0, -1.0, 0.0, 2.0, 40.0, 800.0}) {
    const LaneResults results = runner.run({eta}, records);
    const double tail = std::log1p(std::exp(-std::fabs(eta)));
    EXPECT_NEAR(results.log_density[0], -std::fmax(eta, 0.0) - tail, 1e-13);
    EXPECT_NEAR(results.log_density[1], std::fmin(eta, 0.0) - tail, 1e-13);
    EXPECT_NEAR(results.gradient[0], -1.0 / (1.0 + std::exp(-eta)), 1e-15);
    EXPECT_NEAR(results.gradient[1], 1.0 / (1.0 + std::exp(eta)), 1e-15);
  }
}

TEST(Expression, FormulasBuildTheNodesTheySay) {
  GraphBuilder g;
  const Expression y{&g, g.record_real(0)};
  const Expression mu{&g, g.theta(0)};
  const Expression sigma{&g, g.theta(1)};
  const Expression z = (y - mu) / sigma;
  EXPECT_EQ((-0.5 * square(z) - log(sigma)).id,
            g.sub(g.mul(g.constant(-0.5), g.square(g.div(g.sub(y.id, mu.id), sigma.id))),
                  g.log(sigma.id)));
  EXPECT_EQ((y > 2.0).id, g.binary(Op::lt, g.constant(2.0), y.id));
  EXPECT_EQ(select(y <= mu, mu, sigma + 0.0).id,
            g.select(g.binary(Op::le, y.id, mu.id), mu.id, sigma.id));
}

}  // namespace
}  // namespace dpvi
