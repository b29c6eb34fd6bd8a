#include <gtest/gtest.h>

#include <dpvi/tape/compile/lane_plan.hpp>
#include <dpvi/tape/graph/graph_builder.hpp>

namespace dpvi {
namespace {

std::int32_t steps_of(const std::vector<AdjointInstruction>& instructions) {
  std::int32_t steps = 0;
  for (const AdjointInstruction& instruction : instructions) steps += instruction.steps.count;
  return steps;
}

// record_tape_test.cpp and solve_lower_test.cpp compare the values with the reference.
TEST(LaneAdjoints, AChainOfParametersAloneCostsARecordOneStepAParameter) {
  GraphBuilder g;
  const NodeId chain = g.exp(g.neg(g.mul(g.exp(g.theta(0)), g.unary(Op::tanh, g.theta(1)))));
  const LanePlan plan = make_lane_plan(g.graph(), g.mul(g.record_real(0), chain), 2);
  EXPECT_EQ(plan.reverse.size(), 1u);
  EXPECT_EQ(steps_of(plan.reverse), 2);
  EXPECT_EQ(plan.adjoint_numbers, kLanes);  // the root's
}

TEST(LaneAdjoints, ASumOfParametersPassesItsAdjointToEachOfThem) {
  GraphBuilder g;
  const NodeId parts[] = {g.theta(0), g.exp(g.theta(1))};
  const NodeId root = g.sub(g.record_real(0), g.sum(g.unary(Op::atan, g.pack(parts))));
  const LanePlan plan = make_lane_plan(g.graph(), root, 2);
  EXPECT_EQ(steps_of(plan.reverse), 2);
  EXPECT_EQ(plan.adjoint_numbers, kLanes);
}

}  // namespace
}  // namespace dpvi
