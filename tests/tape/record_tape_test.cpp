#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <thread>

#include <dpvi/base/error.hpp>
#include <dpvi/tape/lanes/record_tape.hpp>
#include <tests/tape/random_graph.hpp>
#include <tests/tape/tape_runner.hpp>

namespace dpvi {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(RecordTape, AgreesWithReferenceOnRandomGraphs) {
  int finite = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    RandomGraph random(seed);
    const NodeId root = random.scalar_root(12);
    const Graph& graph = random.builder().graph();
    std::mt19937_64 values(seed + 1000);
    const std::vector<double> theta = random_reals(values, kRandomTheta);
    const std::vector<TestRecord> records = random_records(values, kLanes);
    for (const BackendKind backend : available_backends()) {
      TapeRunner runner(graph, root, kRandomTheta, backend);
      const LaneResults results = runner.run(theta, records);
      for (std::size_t l = 0; l < records.size(); ++l) {
        const ReferenceGradient expected =
            reference_gradient(graph, root, theta, records[l].values());
        ASSERT_TRUE(close(results.log_density[l], expected.value)) << "seed " << seed;
        finite += std::isfinite(expected.value) ? 1 : 0;
        for (std::size_t j = 0; j < theta.size(); ++j) {
          ASSERT_TRUE(close(results.gradient[j * kLanes + l], expected.gradient[j]))
              << "seed " << seed << " lane " << l << " parameter " << j << ": "
              << results.gradient[j * kLanes + l] << " against " << expected.gradient[j];
        }
      }
    }
  }
  EXPECT_GT(finite, 3000);
}

TEST(ReferenceEvaluator, DerivativesAgreeWithDifferencesOnRandomGraphs) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomGraph random(seed);
    const NodeId root = random.scalar_root(12);
    const Graph& graph = random.builder().graph();
    std::mt19937_64 values(seed + 2000);
    std::vector<double> theta = random_reals(values, kRandomTheta);
    const TestRecord record = random_records(values, 1)[0];
    const ReferenceGradient exact = reference_gradient(graph, root, theta, record.values());
    if (!std::isfinite(exact.value)) continue;
    for (std::size_t j = 0; j < theta.size(); ++j) {
      const double h = 1e-6;
      const double at = theta[j];
      theta[j] = at + h;
      const double above = reference_values(graph, root, theta, record.values())[0];
      theta[j] = at - h;
      const double below = reference_values(graph, root, theta, record.values())[0];
      theta[j] = at;
      EXPECT_TRUE(close(exact.gradient[j], (above - below) / (2 * h), 1e-6))
          << "seed " << seed << " parameter " << j << ": " << exact.gradient[j] << " against "
          << (above - below) / (2 * h);
      ++compared;
    }
  }
  EXPECT_GT(compared, 500);
}

// The result of a record that is alone in lane 0 of a block of zeros.
struct OwnResult {
  double log_density;
  std::vector<double> gradient;
};

OwnResult result_of_lane(const LaneResults& results, std::size_t lane) {
  OwnResult own{results.log_density[lane], {}};
  for (std::size_t i = lane; i < results.gradient.size(); i += kLanes) {
    own.gradient.push_back(results.gradient[i]);
  }
  return own;
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

bool same_bits(const OwnResult& a, const OwnResult& b) {
  return same_bits(a.log_density, b.log_density) &&
         std::ranges::equal(a.gradient, b.gradient,
                            [](double x, double y) { return same_bits(x, y); });
}

TestRecord hostile_record(std::mt19937_64& random) {
  constexpr double kHostile[] = {kNan, kInfinity, -kInfinity, 1e308, -1e308, 5e-324, 0.0, 1e-300};
  TestRecord record;
  for (int i = 0; i < kRandomReals; ++i) record.reals.push_back(kHostile[random() % 8]);
  for (int i = 0; i < kRandomInts; ++i) {
    record.ints.push_back(random() % 2 == 0 ? -7 : std::numeric_limits<std::int32_t>::max());
  }
  return record;
}

template <class T>
void expect_bit_exact_lanes() {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomGraph random(seed);
    const NodeId root = random.scalar_root(12);
    std::mt19937_64 values(seed + 3000);
    const std::vector<double> theta = random_reals(values, kRandomTheta);
    const TestRecord record = random_records(values, 1)[0];
    for (const BackendKind backend : available_backends()) {
      TapeRunner<T> runner(random.builder().graph(), root, kRandomTheta, backend);
      const OwnResult alone = result_of_lane(runner.run(theta, {record}), 0);
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        std::vector<TestRecord> block;
        for (int l = 0; l < kLanes; ++l) block.push_back(hostile_record(values));
        block[lane] = record;
        ASSERT_TRUE(same_bits(alone, result_of_lane(runner.run(theta, block), lane)))
            << "seed " << seed << " lane " << lane;
        for (TestRecord& neighbour : block) neighbour = random_records(values, 1)[0];
        block[lane] = record;
        ASSERT_TRUE(same_bits(alone, result_of_lane(runner.run(theta, block), lane)))
            << "seed " << seed << " lane " << lane;
      }
    }
  }
}

// Guarantee: the result for a record is a bit-exact function of that record, theta, the tape and
// the precision. It is the same in every lane and beside any neighbours.
TEST(RecordTape, ResultIsABitExactFunctionOfTheRecordInEveryLaneBesideAnyNeighbours) {
  expect_bit_exact_lanes<double>();
  expect_bit_exact_lanes<float>();
}

TEST(RecordTape, BackendsAgreeClosely) {
  if (!is_available(BackendKind::avx2)) GTEST_SKIP() << "this processor runs one backend only";
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomGraph random(seed);
    const NodeId root = random.scalar_root(12);
    std::mt19937_64 values(seed + 4000);
    const std::vector<double> theta = random_reals(values, kRandomTheta);
    const std::vector<TestRecord> records = random_records(values, kLanes);
    const Graph& graph = random.builder().graph();
    const auto a = TapeRunner(graph, root, kRandomTheta, BackendKind::portable).run(theta, records);
    const auto b = TapeRunner(graph, root, kRandomTheta, BackendKind::avx2).run(theta, records);
    for (std::size_t i = 0; i < a.gradient.size(); ++i) {
      ASSERT_TRUE(close(a.gradient[i], b.gradient[i], 1e-11)) << "seed " << seed;
    }
  }
}

TEST(RecordTape, LanesWithoutAFiniteLogDensityHaveNoGradient) {
  GraphBuilder g;
  // log(x) * theta is -inf at 0 and NaN below.
  const NodeId root = g.mul(g.theta(0), g.log(g.mul(g.theta(1), g.record_real(0))));
  TapeRunner runner(g.graph(), root, 2);
  const LaneResults results =
      runner.run({2.0, 1.0}, {{{0.0}, {}}, {{-1.0}, {}}, {{kNan}, {}}, {{3.0}, {}}});
  EXPECT_EQ(results.log_density[0], -kInfinity);
  EXPECT_TRUE(std::isnan(results.log_density[1]));
  EXPECT_TRUE(std::isnan(results.log_density[2]));
  for (std::size_t l = 0; l < 3; ++l) {
    EXPECT_EQ(results.gradient[l], 0.0);
    EXPECT_EQ(results.gradient[kLanes + l], 0.0);
  }
  EXPECT_DOUBLE_EQ(results.gradient[3], std::log(3.0));
  EXPECT_DOUBLE_EQ(results.gradient[kLanes + 3], 2.0);
}

// Guarantee: a zero adjoint pulls back exactly zero, even where the derivative is infinite or NaN.
TEST(RecordTape, ZeroAdjointPullsBackExactlyZeroThroughEveryOperation) {
  for (int i = static_cast<int>(Op::neg); i <= static_cast<int>(Op::fmod); ++i) {
    const auto op = static_cast<Op>(i);
    for (const double x : {0.0, -1.0, 1e308, kInfinity, kNan}) {
      GraphBuilder g;
      const NodeId inner = g.mul(g.theta(0), g.record_real(0));
      const NodeId wild = op_class(op) == OpClass::unary
                              ? g.unary(op, inner)
                              : g.add(g.binary(op, inner, g.mul(g.theta(1), g.record_real(0))),
                                      g.binary(op, g.theta(1), inner));
      const NodeId vector = g.pack({wild, inner, g.theta(1)});
      const NodeId everything =
          g.add(g.add(g.log_sum_exp(vector), g.reduce(Op::prod, vector)),
                g.add(g.dot(vector, g.exp(vector)), g.squared_distance(vector, g.theta(2, 3))));
      const NodeId taken = g.square(g.theta(0));
      const NodeId root =
          g.select(g.binary(Op::lt, g.record_real(1), g.constant(0.0)), everything, taken);
      TapeRunner runner(g.graph(), root, 5);
      const LaneResults results = runner.run({1.5, -0.5, 0.1, 0.2, 0.3}, {{{x, 1.0}, {}}});
      EXPECT_EQ(results.log_density[0], 2.25) << op_name(op) << " at " << x;
      EXPECT_EQ(results.gradient[0], 3.0) << op_name(op) << " at " << x;
      for (std::size_t j = 1; j < 5; ++j) {
        EXPECT_EQ(results.gradient[j * kLanes], 0.0) << op_name(op) << " at " << x;
      }
    }
  }
}

TEST(RecordTape, LogSumExpKnowsInfinities) {
  GraphBuilder g;
  const NodeId root = g.log_sum_exp(g.mul(g.theta(0, 2), g.record_real(0, 2)));
  for (const BackendKind backend : available_backends()) {
    const LaneResults results = TapeRunner(g.graph(), root, 2, backend)
                                    .run({1.0, 1.0}, {{{-kInfinity, -kInfinity}, {}},
                                                      {{-kInfinity, 3.0}, {}},
                                                      {{kInfinity, 3.0}, {}},
                                                      {{kNan, 3.0}, {}},
                                                      {{800.0, 800.0}, {}}});
    EXPECT_EQ(results.log_density[0], -kInfinity);
    EXPECT_DOUBLE_EQ(results.log_density[1], 3.0);
    EXPECT_EQ(results.log_density[2], kInfinity);
    EXPECT_TRUE(std::isnan(results.log_density[3]));
    EXPECT_DOUBLE_EQ(results.log_density[4], 800.0 + std::log(2.0));
    EXPECT_EQ(result_of_lane(results, 0).gradient, (std::vector<double>{0.0, 0.0}));
    EXPECT_EQ(result_of_lane(results, 1).gradient, (std::vector<double>{0.0, 3.0}));
    EXPECT_EQ(result_of_lane(results, 4).gradient, (std::vector<double>{400.0, 400.0}));
  }
}

TEST(RecordTape, BranchOnRecordTakesTheRightSideForEachLane) {
  GraphBuilder g;
  const NodeId x = g.record_real(0);
  const NodeId root =
      g.select(g.binary(Op::lt, x, g.constant(0.0)), g.unary(Op::sqrt, g.mul(g.theta(0), g.neg(x))),
               g.log(g.mul(g.theta(1), x)));
  TapeRunner runner(g.graph(), root, 2);
  const LaneResults results = runner.run({1.0, 1.0}, {{{-4.0}, {}}, {{2.0}, {}}});
  EXPECT_DOUBLE_EQ(results.log_density[0], 2.0);
  EXPECT_DOUBLE_EQ(results.log_density[1], std::log(2.0));
  EXPECT_DOUBLE_EQ(results.gradient[0], 1.0);  // d sqrt(4 t) at t = 1
  EXPECT_EQ(results.gradient[1], 0.0);
  EXPECT_EQ(results.gradient[kLanes], 0.0);
  EXPECT_DOUBLE_EQ(results.gradient[kLanes + 1], 1.0);
}

TEST(RecordTape, ParametersThatAreNotReadHaveZeroGradient) {
  GraphBuilder g;
  const NodeId root = g.mul(g.theta(2), g.record_real(0));
  const LaneResults results = TapeRunner(g.graph(), root, 5).run({1, 1, 1, 1, 1}, {{{4.0}, {}}});
  EXPECT_EQ(result_of_lane(results, 0).gradient, (std::vector<double>{0, 0, 4, 0, 0}));
}

TEST(RecordTape, RootMayDependOnLessThanEverything) {
  GraphBuilder g;
  const std::vector<TestRecord> records = {{{3.0}, {}}};
  const auto run = [&](NodeId root) {
    return result_of_lane(TapeRunner(g.graph(), root, 2).run({0.5, 0.7}, records), 0);
  };
  const OwnResult constant = run(g.constant(1.25));
  EXPECT_EQ(constant.log_density, 1.25);
  EXPECT_EQ(constant.gradient, (std::vector<double>{0.0, 0.0}));
  const OwnResult data = run(g.log(g.record_real(0)));
  EXPECT_EQ(data.log_density, std::log(3.0));
  EXPECT_EQ(data.gradient, (std::vector<double>{0.0, 0.0}));
  const OwnResult uniform = run(g.square(g.theta(1)));
  EXPECT_DOUBLE_EQ(uniform.log_density, 0.49);
  EXPECT_EQ(uniform.gradient, (std::vector<double>{0.0, 1.4}));
  const OwnResult parameter = run(g.theta(0));
  EXPECT_EQ(parameter.log_density, 0.5);
  EXPECT_EQ(parameter.gradient, (std::vector<double>{1.0, 0.0}));
}

TEST(RecordTape, RecordOnlyWorkIsDoneOnceWhenARecordIsPrepared) {
  GraphBuilder g;
  const NodeId y = g.record_int(0);
  const NodeId constant = g.unary(Op::lgamma, g.add(y, g.constant(1.0)));
  const NodeId eta = g.dot(g.theta(0, 2), g.record_real(1, 2));
  const NodeId root = g.sub(g.sub(g.mul(y, eta), g.exp(eta)), constant);
  const RecordTape tape(g.graph(), root, 2);
  // Two covariates, the count as a number, and the log factorial; column 0 is not kept.
  EXPECT_EQ(tape.real_columns(), 4);
  EXPECT_EQ(tape.int_columns(), 0);
}

TEST(RecordTape, ThreadsShareATape) {
  RandomGraph random(5);
  const NodeId root = random.scalar_root(15);
  std::mt19937_64 values(17);
  const std::vector<double> theta = random_reals(values, kRandomTheta);
  const std::vector<TestRecord> records = random_records(values, kLanes);
  TapeRunner reference(random.builder().graph(), root, kRandomTheta);
  const LaneResults expected = reference.run(theta, records);
  std::vector<int> equal(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < equal.size(); ++t) {
    threads.emplace_back([&, t] {
      SharedTapeRunner runner(reference.tape());
      for (int i = 0; i < 50; ++i) {
        const LaneResults results = runner.run(theta, records);
        for (std::size_t l = 0; l < kLanes; ++l) {
          equal[t] += same_bits(result_of_lane(results, l), result_of_lane(expected, l)) ? 1 : 0;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int count : equal) EXPECT_EQ(count, 50 * kLanes);
}

TEST(RecordTape, ValueAloneIsTheValueBesideTheGradient) {
  RandomGraph random(8);
  const NodeId root = random.scalar_root(10);
  std::mt19937_64 values(21);
  const std::vector<double> theta = random_reals(values, kRandomTheta);
  const RecordTape tape(random.builder().graph(), root, kRandomTheta);
  TapeWorkspace workspace(tape);
  std::vector<double> reals(static_cast<std::size_t>(tape.real_columns()) * kLanes, 0.25);
  std::vector<std::int32_t> ints(static_cast<std::size_t>(tape.int_columns()) * kLanes, 1);
  std::vector<double> gradient(kRandomTheta * kLanes);
  double beside[kLanes];
  double alone[kLanes];
  tape.begin_draw(workspace, theta);
  tape.evaluate_block(workspace, {reals.data(), ints.data()}, beside, gradient.data());
  tape.evaluate_block_value(workspace, {reals.data(), ints.data()}, alone);
  for (int l = 0; l < kLanes; ++l) EXPECT_TRUE(same_bits(beside[l], alone[l]));
}

TEST(RecordTape, ThetaOfAnotherLengthIsRefused) {
  GraphBuilder g;
  EXPECT_THROW(RecordTape(g.graph(), g.theta(3), 3), InternalError);
  const RecordTape tape(g.graph(), g.theta(3), 4);
  TapeWorkspace workspace(tape);
  EXPECT_THROW(tape.begin_draw(workspace, std::vector<double>(3)), InternalError);
  EXPECT_THROW(RecordTape(g.graph(), g.theta(0, 2), 2), InternalError);  // not a scalar
}

}  // namespace
}  // namespace dpvi
