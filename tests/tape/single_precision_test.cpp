#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <dpvi/tape/math/scalar_functions.hpp>
#include <tests/tape/every_backend.hpp>
#include <tests/tape/function_cases.hpp>
#include <tests/tape/random_graph.hpp>
#include <tests/tape/tape_runner.hpp>

namespace dpvi {
namespace {

class SinglePrecision : public EveryBackend {};

// Rounding an argument to float changes a function by its slope, so the comparison uses arguments
// that are floats.
TEST_P(SinglePrecision, FunctionsAreThoseInDoubleToFloatAccuracy) {
  for (const FunctionCase& function : function_cases()) {
    GraphBuilder g;
    const NodeId root = g.unary(function.op, g.mul(g.theta(0), g.record_real(0)));
    TapeRunner<float> runner(g.graph(), root, 1, GetParam());
    for (const double point : function.points) {
      const double x = static_cast<double>(static_cast<float>(point));
      const double expected = unary_value(function.op, x);
      const double found = runner.run({1.0}, {{{x}, {}}}).log_density[0];
      if (!(std::fabs(expected) < 1e37) || std::fabs(expected) < 1e-37) continue;
      EXPECT_NEAR(found, expected, 1e-7 + 4e-7 * std::fabs(expected))
          << op_name(function.op) << " at " << x;
    }
  }
}

TEST_P(SinglePrecision, RandomGraphsAgreeWithDoubleWhereFloatsCanHoldThem) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomGraph random(seed);
    const NodeId root = random.scalar_root(6);
    const Graph& graph = random.builder().graph();
    std::mt19937_64 values(seed + 1000);
    const std::vector<double> theta = random_reals(values, kRandomTheta);
    const std::vector<TestRecord> records = random_records(values, kLanes);
    const LaneResults in_double =
        TapeRunner<double>(graph, root, kRandomTheta, GetParam()).run(theta, records);
    const LaneResults in_single =
        TapeRunner<float>(graph, root, kRandomTheta, GetParam()).run(theta, records);
    for (std::size_t l = 0; l < records.size(); ++l) {
      if (std::isnan(in_double.log_density[l])) continue;
      double largest = std::fabs(in_double.log_density[l]);
      for (std::size_t j = 0; j < theta.size(); ++j) {
        largest = std::fmax(largest, std::fabs(in_double.gradient[j * kLanes + l]));
      }
      // Above this size, intermediate results of such graphs cancel or exceed the range of floats.
      if (!(largest < 100.0)) continue;
      ++compared;
      EXPECT_NEAR(in_single.log_density[l], in_double.log_density[l], 2e-2) << "seed " << seed;
    }
  }
  EXPECT_GT(compared, 1500);
}

TEST_P(SinglePrecision, WhatFloatsCannotHoldHasNoFiniteDensityAndNoGradient) {
  GraphBuilder g;
  const NodeId root = g.square(g.mul(g.theta(0), g.record_real(0)));
  for (const double x : {1e39, -1e300, 1e20}) {
    const LaneResults results =
        TapeRunner<float>(g.graph(), root, 1, GetParam()).run({2.0}, {{{x}, {}}, {{3.0}, {}}});
    EXPECT_FALSE(std::isfinite(results.log_density[0])) << x;
    EXPECT_EQ(results.gradient[0], 0.0) << x;
    EXPECT_EQ(results.log_density[1], 36.0);
    EXPECT_EQ(results.gradient[1], 36.0);
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, SinglePrecision, kEveryBackend, name_of_backend);

}  // namespace
}  // namespace dpvi
