#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <dpvi/tape/graph/graph_builder.hpp>
#include <dpvi/tape/graph/reachable.hpp>
#include <dpvi/tape/reference/reference_evaluator.hpp>

namespace dpvi {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::ptrdiff_t count(const GraphBuilder& g, NodeId root, Op op) {
  return std::ranges::count_if(reachable_from(g.graph(), std::span(&root, 1)),
                               [&](NodeId id) { return g.graph()[id].op == op; });
}

TEST(GraphSelects, SidesThatAreAlikeDoTheirWorkOnce) {
  GraphBuilder g;
  const NodeId mask = g.binary(Op::eq, g.record_int(0), g.constant(1.0));
  const NodeId x = g.mul(g.theta(0), g.record_real(0));
  const NodeId y = g.mul(g.theta(1), g.record_real(1));
  EXPECT_EQ(g.select(mask, g.exp(x), g.exp(y)), g.exp(g.select(mask, x, y)));
  EXPECT_EQ(g.select(mask, g.sub(x, y), g.sub(g.theta(2), y)),
            g.sub(g.select(mask, x, g.theta(2)), y));
  EXPECT_EQ(count(g, g.select(mask, g.sub(y, g.exp(x)), g.neg(g.exp(y))), Op::exp), 1);
}

TEST(GraphSelects, SelectsAmongARecordsOwnColumnsNeedNoLanes) {
  GraphBuilder g;
  const NodeId mask = g.binary(Op::eq, g.record_int(0), g.constant(1.0));
  const NodeId x = g.mul(g.theta(0), g.record_real(0));
  const NodeId y = g.mul(g.theta(0), g.record_real(1));
  EXPECT_EQ(g.select(mask, x, y),
            g.mul(g.theta(0), g.select(mask, g.record_real(0), g.record_real(1))));
}

TEST(GraphSelects, WhatIsComputedOnceADrawStaysSo) {
  GraphBuilder g;
  const NodeId mask = g.binary(Op::eq, g.record_int(0), g.constant(1.0));
  const NodeId chosen = g.select(mask, g.exp(g.theta(0)), g.exp(g.theta(1)));
  EXPECT_EQ(g.graph()[chosen].op, Op::select);
  EXPECT_EQ(count(g, chosen, Op::exp), 2);
}

// Selects between every pair of the sides below, at every combination of values.
TEST(GraphSelects, MovedSelectsMeanWhatWasWritten) {
  GraphBuilder g;
  const NodeId mask = g.binary(Op::lt, g.record_real(0), g.constant(0.0));
  const NodeId inner_mask = g.binary(Op::lt, g.record_real(1), g.constant(0.0));
  const NodeId x = g.mul(g.theta(0), g.record_real(1));
  const NodeId y = g.add(g.theta(1), g.record_real(0));
  const NodeId z = g.theta(2);
  const NodeId lane_mask = g.binary(Op::lt, x, y);
  const NodeId nan = g.constant(kNan);
  std::vector<NodeId> sides = {x, y, z, g.constant(2.0), g.record_real(1)};
  for (const Op op : {Op::neg, Op::exp, Op::log}) {
    for (const NodeId value : {x, y}) sides.push_back(g.unary(op, value));
  }
  for (const Op op : {Op::add, Op::sub, Op::mul, Op::lt, Op::logical_and}) {
    for (const auto& [a, b] :
         {std::pair(x, y), std::pair(y, x), std::pair(x, z), std::pair(z, y)}) {
      sides.push_back(g.binary(op, a, b));
    }
  }
  for (const NodeId inner : {inner_mask, lane_mask}) {
    sides.push_back(g.select(inner, x, nan));
    sides.push_back(g.select(inner, y, nan));
    sides.push_back(g.select(inner, x, z));
    sides.push_back(g.select(inner, g.exp(y), g.neg(x)));
  }
  const std::vector<double> theta = {0.5, -1.25, 3.0};
  int compared = 0;
  for (const double first : {-1.0, 0.75, kInfinity, kNan}) {
    for (const double second : {-2.0, 1.5, -kInfinity}) {
      const std::vector<double> record = {first, second};
      const auto value = [&](NodeId node) {
        return reference_values(g.graph(), node, theta, {record, {}})[0];
      };
      for (const NodeId a : sides) {
        for (const NodeId b : sides) {
          const double chosen = value(first < 0.0 ? a : b);
          const double found = value(g.select(mask, a, b));
          ASSERT_TRUE(found == chosen || (std::isnan(found) && std::isnan(chosen)));
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 10000);
}

TEST(GraphSelects, DeepBranchesAreRewrittenInReasonableTime) {
  GraphBuilder g;
  NodeId a = g.mul(g.theta(0), g.record_real(0));
  NodeId b = g.mul(g.theta(1), g.record_real(0));
  for (std::int32_t i = 0; i < 60; ++i) {
    const NodeId mask = g.binary(Op::lt, g.record_real(i), g.constant(0.0));
    const NodeId next = g.select(mask, g.select(g.record_real(i), a, b), g.exp(b));
    b = g.select(mask, g.select(g.record_real(i), b, a), g.exp(a));
    a = next;
  }
  EXPECT_LT(g.graph().size(), 100000U);
}

TEST(GraphSelects, WhetherAnExponentialIsPositiveOrFiniteIsSeenFromItsArgument) {
  GraphBuilder g;
  const NodeId x = g.theta(0);
  const NodeId positive = g.binary(Op::lt, g.constant(0.0), g.exp(x));
  const NodeId finite = g.binary(Op::lt, g.exp(x), g.constant(kInfinity));
  EXPECT_EQ(count(g, positive, Op::exp), 0);
  EXPECT_EQ(count(g, finite, Op::exp), 0);
  for (const double value :
       {-kInfinity, -746.0, -745.14, -745.13, -1.0, 0.0, 709.78, 709.79, kInfinity, kNan}) {
    const std::vector<double> theta = {value};
    EXPECT_EQ(reference_values(g.graph(), positive, theta)[0] != 0.0, std::exp(value) > 0.0);
    EXPECT_EQ(reference_values(g.graph(), finite, theta)[0] != 0.0, std::exp(value) < kInfinity);
  }
}

TEST(GraphSelects, LogarithmOfACheckedExponentialIsTheCheckedArgument) {
  GraphBuilder g;
  const NodeId mask = g.binary(Op::lt, g.record_real(0), g.constant(0.0));
  const NodeId nan = g.constant(kNan);
  EXPECT_EQ(g.log(g.select(mask, g.exp(g.theta(0)), nan)), g.select(mask, g.theta(0), nan));
}

}  // namespace
}  // namespace dpvi
