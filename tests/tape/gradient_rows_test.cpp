#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include <tests/tape/tape_runner.hpp>

namespace dpvi {
namespace {

constexpr std::int32_t kGroups = 1000;

std::vector<TestRecord> grouped_records(std::mt19937_64& random, int groups_of_a_record) {
  std::vector<TestRecord> records(kLanes);
  for (TestRecord& record : records) {
    record.reals = random_reals(random, 2);
    for (int i = 0; i < groups_of_a_record; ++i) {
      record.ints.push_back(static_cast<std::int32_t>(random() % kGroups));
    }
  }
  return records;
}

void expect_reference(const Graph& graph, NodeId root, std::int32_t theta_size,
                      const std::vector<TestRecord>& records) {
  std::mt19937_64 random(5);
  const std::vector<double> theta = random_reals(random, theta_size);
  TapeRunner<> runner(graph, root, theta_size);
  const LaneResults results = runner.run(theta, records);
  for (std::size_t l = 0; l < records.size(); ++l) {
    const ReferenceGradient expected = reference_gradient(graph, root, theta, records[l].values());
    ASSERT_TRUE(close(results.log_density[l], expected.value)) << "lane " << l;
    for (std::size_t j = 0; j < theta.size(); ++j) {
      ASSERT_TRUE(close(results.gradient[j * kLanes + l], expected.gradient[j]))
          << "lane " << l << " parameter " << j << ": " << results.gradient[j * kLanes + l]
          << " against " << expected.gradient[j];
    }
  }
}

// mean + spread * effect[group] + slope * x, the usual form of varying intercepts.
NodeId varying_intercept(GraphBuilder& g) {
  const NodeId effects = g.add(g.theta(0), g.mul(g.exp(g.theta(1)), g.theta(2, kGroups)));
  const NodeId own = g.gather(effects, g.record_int(0), {.extent = kGroups});
  return g.add(own, g.mul(g.theta(2 + kGroups), g.record_real(0)));
}

TEST(GradientRows, AreAsManyAsARecordTouchesHoweverManyGroupsThereAre) {
  GraphBuilder g;
  const NodeId root = g.square(g.sub(g.record_real(1), varying_intercept(g)));
  // One more parameter occurs only in the prior.
  const RecordTape tape(g.graph(), root, kGroups + 4);
  EXPECT_EQ(tape.rows().coordinates,
            (std::vector<std::int32_t>{0, 1, GradientRows::kOwn, kGroups + 2}));
  EXPECT_EQ(tape.rows().per_lane_rows, 1);
  std::mt19937_64 random(1);
  expect_reference(g.graph(), root, kGroups + 4, grouped_records(random, 1));
}

TEST(GradientRows, EntriesThatMeetInACoordinateAddUp) {
  GraphBuilder g;
  const NodeId first = g.gather(g.theta(0, kGroups), g.record_int(0), {.extent = kGroups});
  const NodeId others = g.gather(g.theta(0, kGroups), g.record_int(1, 2), {.extent = kGroups});
  const NodeId root =
      g.add(g.square(g.mul(first, g.record_real(0))), g.dot(others, g.record_real(0, 2)));
  std::mt19937_64 random(2);
  std::vector<TestRecord> records = grouped_records(random, 3);
  records[0].ints = {7, 7, 7};
  records[1].ints = {9, 3, 9};
  records[2].ints = {3, 9, 9};
  records[3].ints = {999, 0, 999};
  records[4].ints = {5, -1, 5};  // an invalid group has no density
  expect_reference(g.graph(), root, kGroups, records);
}

TEST(GradientRows, CoordinatesOfALaneIncrease) {
  GraphBuilder g;
  const NodeId taken = g.gather(g.theta(1, kGroups), g.record_int(0, 3), {.extent = kGroups});
  const NodeId root = g.add(g.theta(0), g.dot(taken, g.record_real(0, 3)));
  const RecordTape tape(g.graph(), root, kGroups + 1);
  TapeWorkspace workspace(tape);
  std::vector<double> reals(3 * kLanes, 1.0);
  std::vector<std::int32_t> ints(3 * kLanes);
  std::mt19937_64 random(3);
  for (std::int32_t& index : ints) index = static_cast<std::int32_t>(random() % 6) - 1;
  std::vector<double> log_density(kLanes), rows(4 * kLanes);
  std::vector<std::int32_t> own(3 * kLanes);
  tape.begin_draw(workspace, std::vector<double>(kGroups + 1, 0.5));
  tape.evaluate_rows(workspace, {reals.data(), ints.data()}, log_density.data(), rows.data(),
                     own.data());
  for (std::size_t l = 0; l < kLanes; ++l) {
    std::int32_t last = 0;
    for (std::size_t r = 0; r < 3; ++r) {
      const std::int32_t coordinate = own[r * kLanes + l];
      if (coordinate == kNoCoordinate) {
        EXPECT_EQ(rows[(1 + r) * kLanes + l], 0.0);
        continue;
      }
      EXPECT_GT(coordinate, last);
      last = coordinate;
    }
  }
}

TEST(GradientRows, RowsOfMatricesAreTakenWhole) {
  // 200 groups select rows of a matrix with three columns, stored column by column.
  GraphBuilder g;
  const NodeId row =
      g.gather(g.theta(1, 600), g.record_int(0), {.extent = 200, .length = 3, .stride = 200});
  const NodeId root = g.mul(g.theta(0), g.dot(row, g.record_real(0, 3)));
  const RecordTape tape(g.graph(), root, 601);
  EXPECT_EQ(tape.rows().size(), 4);
  std::mt19937_64 random(4);
  std::vector<TestRecord> records(kLanes);
  for (TestRecord& record : records) {
    record = {random_reals(random, 3), {static_cast<std::int32_t>(random() % 202) - 1}};
  }
  expect_reference(g.graph(), root, 601, records);
}

TEST(GradientRows, ParametersThatAreAlsoUsedWholeHaveARowEach) {
  GraphBuilder g;
  const NodeId all = g.theta(0, 50);
  const NodeId own = g.gather(all, g.record_int(0), {.extent = 50});
  const NodeId root = g.mul(own, g.sum(g.mul(all, g.record_real(0))));
  const RecordTape tape(g.graph(), root, 50);
  EXPECT_EQ(tape.rows().size(), 50);
  EXPECT_EQ(tape.rows().per_lane_rows, 0);
  std::mt19937_64 random(6);
  std::vector<TestRecord> records(kLanes);
  for (TestRecord& record : records) {
    record = {random_reals(random, 1), {static_cast<std::int32_t>(random() % 50)}};
  }
  expect_reference(g.graph(), root, 50, records);
}

TEST(GradientRows, InvalidIndexInABranchNotTakenLeavesNoTrace) {
  GraphBuilder g;
  const NodeId own = g.gather(g.theta(0, 100), g.record_int(0), {.extent = 100});
  const NodeId valid = g.binary(Op::lt, g.record_int(0), g.constant(100.0));
  const NodeId root = g.select(valid, g.mul(own, g.record_real(0)), g.square(g.theta(100)));
  expect_reference(g.graph(), root, 101,
                   {{{2.0}, {5}}, {{3.0}, {100}}, {{4.0}, {99}}, {{4.0}, {1000000}}});
}

}  // namespace
}  // namespace dpvi
