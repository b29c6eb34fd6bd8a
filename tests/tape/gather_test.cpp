#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <tests/tape/every_backend.hpp>
#include <tests/tape/tape_runner.hpp>

namespace dpvi {
namespace {

std::vector<double> lane_of(const LaneResults& results, std::size_t lane) {
  std::vector<double> gradient;
  for (std::size_t i = lane; i < results.gradient.size(); i += kLanes) {
    gradient.push_back(results.gradient[i]);
  }
  return gradient;
}

class Gather : public EveryBackend {};

TEST_P(Gather, TakesTheEntryOfEachRecordAndGivesItsAdjointBack) {
  GraphBuilder g;
  const NodeId group = g.sub(g.record_int(0), g.constant(1.0));
  const NodeId effect = g.gather(g.theta(0, 3), group, {.extent = 3});
  const NodeId root = g.mul(effect, g.record_real(0));
  TapeRunner runner(g.graph(), root, 3, GetParam());
  EXPECT_EQ(runner.tape().int_columns(), 1);
  const LaneResults results =
      runner.run({10.0, 20.0, 30.0}, {{{2.0}, {1}}, {{3.0}, {3}}, {{5.0}, {2}}});
  EXPECT_EQ(results.log_density[0], 20.0);
  EXPECT_EQ(results.log_density[1], 90.0);
  EXPECT_EQ(results.log_density[2], 100.0);
  EXPECT_EQ(lane_of(results, 0), (std::vector<double>{2.0, 0.0, 0.0}));
  EXPECT_EQ(lane_of(results, 1), (std::vector<double>{0.0, 0.0, 3.0}));
  EXPECT_EQ(lane_of(results, 2), (std::vector<double>{0.0, 5.0, 0.0}));
}

TEST_P(Gather, IndexOutOfRangeIsNanForThatLaneOnly) {
  constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();
  constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
  GraphBuilder g;
  const NodeId root = g.gather(g.exp(g.theta(0, 4)), g.record_int(0), {.extent = 4});
  TapeRunner runner(g.graph(), root, 4, GetParam());
  const std::vector<TestRecord> records = {
      {{}, {4}}, {{}, {-1}}, {{}, {kMax}}, {{}, {kLeast}}, {{}, {3}}};
  const LaneResults results = runner.run({0.0, 0.0, 0.0, 0.0}, records);
  for (std::size_t l = 0; l < 4; ++l) {
    EXPECT_TRUE(std::isnan(results.log_density[l]));
    EXPECT_EQ(lane_of(results, l), std::vector<double>(4, 0.0));
  }
  EXPECT_EQ(results.log_density[4], 1.0);
  EXPECT_EQ(lane_of(results, 4), (std::vector<double>{0.0, 0.0, 0.0, 1.0}));
}

TEST_P(Gather, InvalidIndexInABranchNotTakenLeavesNoTrace) {
  GraphBuilder g;
  const NodeId entry = g.gather(g.theta(0, 2), g.record_int(0), {.extent = 2});
  const NodeId root =
      g.select(g.binary(Op::lt, g.record_int(0), g.constant(2.0)), entry, g.square(g.theta(0)));
  const LaneResults results =
      TapeRunner(g.graph(), root, 2, GetParam()).run({3.0, 4.0}, {{{}, {9}}, {{}, {1}}});
  EXPECT_EQ(results.log_density[0], 9.0);
  EXPECT_EQ(lane_of(results, 0), (std::vector<double>{6.0, 0.0}));
  EXPECT_EQ(lane_of(results, 1), (std::vector<double>{0.0, 1.0}));
}

TEST_P(Gather, TakesRowsAndColumnsOfMatrices) {
  // The matrix has two rows and three columns, stored column by column.
  const std::vector<double> theta = {1, 2, 3, 4, 5, 6};
  GraphBuilder g;
  const NodeId matrix = g.theta(0, 6);
  const NodeId index = g.record_int(0);
  const NodeId weights = g.record_real(0, 3);
  const NodeId row =
      g.gather(matrix, index, {.extent = 2, .index_stride = 1, .length = 3, .stride = 2});
  const NodeId column = g.gather(matrix, index, {.extent = 3, .index_stride = 2, .length = 2});
  const NodeId root = g.add(g.dot(row, weights), g.sum(column));
  const LaneResults results =
      TapeRunner(g.graph(), root, 6, GetParam()).run(theta, {{{1.0, 10.0, 100.0}, {1}}});
  EXPECT_EQ(results.log_density[0], 2.0 + 40.0 + 600.0 + 3.0 + 4.0);
  EXPECT_EQ(lane_of(results, 0), (std::vector<double>{0, 1, 1, 11, 0, 100}));
}

TEST_P(Gather, SeveralIndicesTakeSeveralBlocks) {
  GraphBuilder g;
  const NodeId taken = g.gather(g.square(g.theta(0, 4)), g.record_int(0, 3), {.extent = 4});
  const NodeId root = g.dot(taken, g.record_real(0, 3));
  const LaneResults results = TapeRunner(g.graph(), root, 4, GetParam())
                                  .run({1, 2, 3, 4}, {{{1.0, 10.0, 100.0}, {3, 1, 3}}});
  EXPECT_EQ(results.log_density[0], 16.0 + 40.0 + 1600.0);
  EXPECT_EQ(lane_of(results, 0), (std::vector<double>{0.0, 40.0, 0.0, 808.0}));
}

TEST_P(Gather, IndexMayDependOnParametersOrOnBoth) {
  GraphBuilder g;
  const NodeId x = g.mul(g.record_real(0, 2), g.theta(0, 2));
  const NodeId by_theta = g.binary(Op::lt, g.constant(0.0), g.theta(0));
  const NodeId by_both = g.binary(Op::lt, g.constant(0.0), g.mul(g.theta(0), g.record_real(0)));
  const NodeId root = g.add(g.gather(x, by_theta, {.extent = 2}),
                            g.mul(g.constant(100.0), g.gather(x, by_both, {.extent = 2})));
  const LaneResults results = TapeRunner(g.graph(), root, 2, GetParam())
                                  .run({2.0, 3.0}, {{{1.0, 5.0}, {}}, {{-1.0, 5.0}, {}}});
  EXPECT_EQ(results.log_density[0], 15.0 + 1500.0);
  EXPECT_EQ(results.log_density[1], 15.0 - 200.0);
  EXPECT_EQ(lane_of(results, 0), (std::vector<double>{0.0, 505.0}));
  EXPECT_EQ(lane_of(results, 1), (std::vector<double>{-100.0, 5.0}));
}

TEST_P(Gather, TransformedVectorsPullBackToParameters) {
  // Varying intercepts: mean + scale * raw.
  GraphBuilder g;
  const NodeId effects = g.add(g.theta(0), g.mul(g.exp(g.theta(1)), g.theta(2, 3)));
  const NodeId root = g.gather(effects, g.record_int(0), {.extent = 3});
  const LaneResults results = TapeRunner(g.graph(), root, 5, GetParam())
                                  .run({0.5, std::log(2.0), 1.0, -1.0, 3.0}, {{{}, {2}}});
  EXPECT_DOUBLE_EQ(results.log_density[0], 6.5);
  const std::vector<double> gradient = lane_of(results, 0);
  EXPECT_EQ(gradient[0], 1.0);
  EXPECT_DOUBLE_EQ(gradient[1], 6.0);
  EXPECT_EQ(gradient[2], 0.0);
  EXPECT_EQ(gradient[3], 0.0);
  EXPECT_DOUBLE_EQ(gradient[4], 2.0);
}

INSTANTIATE_TEST_SUITE_P(Backends, Gather, kEveryBackend, name_of_backend);

}  // namespace
}  // namespace dpvi
