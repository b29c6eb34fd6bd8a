#include <dpvi/tape/compile/theta_use.hpp>

#include <gtest/gtest.h>

#include <dpvi/tape/graph/graph_builder.hpp>

namespace dpvi {
namespace {

TEST(ThetaUse, OnlyEntriesThatTheRootIsComputedFromAreUsed) {
  GraphBuilder builder;
  const NodeId alone = builder.theta(0, 1);
  const NodeId pair = builder.theta(1, 2);
  builder.mul(alone, alone);  // in the graph, but not part of the root
  const NodeId root = builder.add(builder.slice(pair, 1, 1), builder.constant(2.0));
  EXPECT_EQ(theta_used(builder.graph(), root, 4), (std::vector<bool>{false, false, true, false}));
}

TEST(ThetaUse, EntryThatARecordMayChooseIsUsed) {
  GraphBuilder builder;
  const NodeId effects = builder.theta(1, 3);
  const NodeId root = builder.gather(effects, builder.record_int(0), {.extent = 3});
  EXPECT_EQ(theta_used(builder.graph(), root, 4), (std::vector<bool>{false, true, true, true}));
}

}  // namespace
}  // namespace dpvi
