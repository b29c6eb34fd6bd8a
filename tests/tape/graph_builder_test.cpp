#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <dpvi/base/error.hpp>
#include <dpvi/tape/graph/graph_builder.hpp>
#include <dpvi/tape/graph/terms.hpp>
#include <dpvi/tape/math/scalar_functions.hpp>
#include <dpvi/tape/reference/reference_evaluator.hpp>

namespace dpvi {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(GraphBuilder, EqualExpressionsAreOneNode) {
  GraphBuilder g;
  const NodeId a = g.theta(0, 3);
  const NodeId b = g.record_real(0, 3);
  EXPECT_EQ(g.add(a, b), g.add(b, a));
  EXPECT_EQ(g.exp(g.mul(a, b)), g.exp(g.mul(b, a)));
  EXPECT_EQ(g.constant(2.5), g.constant(2.5));
  EXPECT_NE(g.constant(0.0), g.constant(-0.0));
  EXPECT_EQ(g.constant(kNan), g.constant(kNan));
  EXPECT_NE(g.sub(a, b), g.sub(b, a));
  EXPECT_NE(g.slice(g.exp(a), 0, 2), g.slice(g.exp(a), 1, 2));
}

TEST(GraphBuilder, SpaceIsTheUnionOfWhatAValueDependsOn) {
  GraphBuilder g;
  const NodeId parameter = g.theta(0);
  const NodeId real = g.record_real(0);
  EXPECT_EQ(g.space(g.constant(1.0)), Space::constant);
  EXPECT_EQ(g.space(g.exp(parameter)), Space::uniform);
  EXPECT_EQ(g.space(g.exp(real)), Space::data);
  EXPECT_EQ(g.space(g.mul(parameter, real)), Space::lane);
  EXPECT_EQ(g.space(g.add(parameter, g.constant(1.0))), Space::uniform);
}

TEST(GraphBuilder, ConstantsFold) {
  GraphBuilder g;
  const NodeId two = g.constant(2.0);
  const std::vector<double> values = {1.0, 2.0, 3.0};
  const NodeId vector = g.constant(values);
  EXPECT_EQ(g.add(two, two), g.constant(4.0));
  EXPECT_EQ(g.sum(vector), g.constant(6.0));
  EXPECT_EQ(g.dot(vector, vector), g.constant(14.0));
  EXPECT_EQ(g.element(vector, 2), g.constant(3.0));
  EXPECT_EQ(g.select(g.binary(Op::lt, two, g.constant(3.0)), g.theta(0), g.theta(1)), g.theta(0));
  EXPECT_EQ(g.gather(vector, g.constant(1.0), {.extent = 3}), g.constant(2.0));
  EXPECT_EQ(g.gather(vector, g.constant(3.0), {.extent = 3}), g.constant(kNan));
}

TEST(GraphBuilder, OperationsThatChangeNothingVanish) {
  GraphBuilder g;
  const NodeId x = g.theta(0, 4);
  const NodeId zero = g.constant(0.0);
  const NodeId one = g.constant(1.0);
  EXPECT_EQ(g.add(x, zero), x);
  EXPECT_EQ(g.sub(x, zero), x);
  EXPECT_EQ(g.mul(one, x), x);
  EXPECT_EQ(g.div(x, one), x);
  EXPECT_EQ(g.neg(g.neg(x)), x);
  EXPECT_EQ(g.add(x, g.neg(g.theta(4, 4))), g.sub(x, g.theta(4, 4)));
  EXPECT_EQ(g.binary(Op::pow, x, g.constant(2.0)), g.square(x));
}

TEST(GraphBuilder, RepeatingAScalarIsNotSimplifiedAway) {
  GraphBuilder g;
  const std::vector<double> zeros(3, 0.0);
  const NodeId repeated = g.add(g.theta(0), g.constant(zeros));
  EXPECT_EQ(g.length(repeated), 3);
  EXPECT_EQ(g.sum(g.broadcast(g.theta(0), 3)), g.mul(g.constant(3.0), g.theta(0)));
}

TEST(GraphBuilder, ProductWithZeroStaysBecauseItMayBeNan) {
  GraphBuilder g;
  const NodeId product = g.mul(g.record_real(0), g.constant(0.0));
  const std::vector<double> record = {kNan};
  EXPECT_TRUE(std::isnan(reference_values(g.graph(), product, {}, {record, {}})[0]));
}

TEST(GraphBuilder, PiecesOfOneValueAreFoundAgain) {
  GraphBuilder g;
  const NodeId x = g.theta(2, 6);
  EXPECT_EQ(g.element(x, 1), g.theta(3));
  EXPECT_EQ(g.pack({g.theta(2), g.theta(3), g.theta(4, 4)}), x);
  const NodeId y = g.exp(x);
  EXPECT_EQ(g.pack({g.element(y, 0), g.element(y, 1), g.slice(y, 2, 4)}), y);
  EXPECT_EQ(g.pack({g.element(y, 0), g.element(y, 2), g.element(y, 4)}), g.slice(y, 0, 3, 2));
  EXPECT_EQ(g.element(g.slice(y, 1, 3, 2), 2), g.element(y, 5));
  const NodeId mixed = g.pack({g.theta(0), y, g.theta(9)});
  EXPECT_EQ(g.slice(mixed, 1, 6), y);
  EXPECT_EQ(g.element(mixed, 7), g.theta(9));
  EXPECT_EQ(g.pack({g.theta(0), g.theta(0), g.theta(0)}), g.broadcast(g.theta(0), 3));
  EXPECT_EQ(g.pack({g.element(y, 1), g.element(y, 1), g.element(y, 1)}),
            g.broadcast(g.element(y, 1), 3));
}

TEST(GraphBuilder, LinearPredictorsAndSquaresAreRecognised) {
  GraphBuilder g;
  const NodeId x = g.record_real(0, 5);
  const NodeId beta = g.theta(0, 5);
  EXPECT_EQ(g.sum(g.mul(x, beta)), g.dot(x, beta));
  EXPECT_EQ(g.sum(g.square(g.sub(x, beta))), g.squared_distance(x, beta));
  EXPECT_EQ(g.matmul(x, beta, {.rows = 1, .inner = 5, .columns = 1}), g.dot(x, beta));
}

// Two nested operations over every combination of parameters, record values and both.
TEST(GraphBuilder, RegroupedSumsAndProductsMeanWhatWasWritten) {
  const std::vector<double> theta = {3.0, 5.0, 0.5};
  const std::vector<double> record = {7.0, 11.0, 0.25};
  GraphBuilder g;
  const std::vector<NodeId> leaves = {g.theta(0),       g.theta(1),
                                      g.record_real(0), g.record_real(1),
                                      g.constant(13.0), g.mul(g.theta(2), g.record_real(2))};
  const std::vector<double> values = {3.0, 5.0, 7.0, 11.0, 13.0, 0.125};
  const Op ops[] = {Op::add, Op::sub, Op::mul};
  int compared = 0;
  for (const Op outer : ops) {
    for (const Op inner : ops) {
      for (std::size_t i = 0; i < leaves.size(); ++i) {
        for (std::size_t j = 0; j < leaves.size(); ++j) {
          for (std::size_t k = 0; k < leaves.size(); ++k) {
            const double pair = binary_value(inner, values[i], values[j]);
            const NodeId pair_node = g.binary(inner, leaves[i], leaves[j]);
            const auto value = [&](NodeId node) {
              return reference_values(g.graph(), node, theta, {record, {}})[0];
            };
            ASSERT_EQ(value(g.binary(outer, pair_node, leaves[k])),
                      binary_value(outer, pair, values[k]));
            ASSERT_EQ(value(g.binary(outer, leaves[k], pair_node)),
                      binary_value(outer, values[k], pair));
            ++compared;
          }
        }
      }
    }
  }
  EXPECT_EQ(compared, 9 * 216);
}

TEST(GraphBuilder, WhatNeedsNoLanesIsGroupedTogether) {
  GraphBuilder g;
  const NodeId u = g.theta(0);
  const NodeId v = g.theta(1);
  const NodeId x = g.mul(g.theta(2), g.record_real(0));
  EXPECT_EQ(g.add(u, g.sub(v, x)), g.sub(g.add(u, v), x));
  EXPECT_EQ(g.sub(g.sub(x, v), u), g.sub(x, g.add(u, v)));
  EXPECT_EQ(g.mul(u, x), g.mul(g.mul(u, g.theta(2)), g.record_real(0)));
}

TEST(GraphBuilder, SumsTakenApartMeanWhatWasWritten) {
  const std::vector<double> theta = {1.5, 2.0, -0.5, 4.0, 0.25, 8.0, -1.0};
  GraphBuilder g;
  const NodeId a = g.theta(0, 3);
  const NodeId b = g.theta(3, 3);
  const NodeId s = g.theta(6);
  const auto value = [&](NodeId node) { return reference_values(g.graph(), node, theta)[0]; };
  EXPECT_EQ(value(g.sum(g.sub(s, g.mul(a, b)))), -3.0 - 2.5);
  EXPECT_EQ(value(g.sum(g.sub(g.square(a), b))), 6.5 - 12.25);
  EXPECT_EQ(value(g.sum(g.square(g.mul(s, a)))), 6.5);
  EXPECT_EQ(value(g.sum(g.neg(g.add(a, s)))), 0.0);
  EXPECT_EQ(value(g.sum(g.broadcast(s, 5))), -5.0);
}

TEST(GraphBuilder, NothingIsAValueOfLengthZero) {
  GraphBuilder g;
  const NodeId nothing = g.record_real(0, 0);
  EXPECT_EQ(g.length(nothing), 0);
  EXPECT_EQ(g.length(g.mul(nothing, g.theta(0))), 0);
  EXPECT_EQ(g.sum(g.exp(nothing)), g.constant(0.0));
  EXPECT_EQ(g.reduce(Op::prod, nothing), g.constant(1.0));
  EXPECT_EQ(g.log_sum_exp(nothing), g.constant(-std::numeric_limits<double>::infinity()));
  EXPECT_EQ(g.pack({nothing, g.theta(0), nothing}), g.theta(0));
  EXPECT_EQ(g.length(g.gather(g.theta(0, 3), nothing, {.extent = 3})), 0);
}

TEST(GraphBuilder, LengthsThatDoNotFitAreRefused) {
  GraphBuilder g;
  EXPECT_THROW(g.add(g.theta(0, 2), g.theta(0, 3)), InternalError);
  EXPECT_THROW(g.slice(g.theta(0, 2), 1, 2), InternalError);
  EXPECT_THROW(g.gather(g.theta(0, 4), g.record_int(0), {.extent = 5}), InternalError);
  EXPECT_THROW(g.matmul(g.theta(0, 5), g.theta(5, 3), {.rows = 2, .inner = 3, .row_stride = 3}),
               InternalError);
  EXPECT_THROW(g.reduce(Op::max_of, g.theta(0, 0)), InternalError);
}

TEST(Terms, EqualTermsOfTwoSumsCancel) {
  GraphBuilder g;
  const NodeId prior = g.neg(g.square(g.theta(0)));
  const NodeId twice = g.log(g.theta(1));
  const NodeId record = g.mul(g.theta(0), g.record_real(0));
  const std::vector<NodeId> with_record = {prior, twice, record, twice};
  const std::vector<NodeId> without = {prior, twice};
  EXPECT_EQ(subtract_terms(g, with_record, without), g.add(twice, record));
  EXPECT_EQ(subtract_terms(g, without, without), g.constant(0.0));
  EXPECT_EQ(subtract_terms(g, {}, without), g.neg(g.add(prior, twice)));
}

TEST(Terms, ALoopOverEntriesBecomesOneVectorOperation) {
  GraphBuilder g;
  const NodeId inverse_scale = g.inv(g.exp(g.theta(20)));
  std::vector<NodeId> terms;
  for (std::int32_t i = 0; i < 10; ++i) {
    const NodeId z = g.mul(g.sub(g.record_real(i), g.theta(i)), inverse_scale);
    terms.push_back(g.sub(g.mul(g.constant(-0.5), g.square(z)), g.theta(20)));
  }
  const NodeId distance = g.squared_distance(g.record_real(0, 10), g.theta(0, 10));
  EXPECT_EQ(add_terms(g, terms),
            g.sub(g.mul(g.constant(-0.5), g.mul(g.square(inverse_scale), distance)),
                  g.mul(g.constant(10.0), g.theta(20))));
}

TEST(GraphBuilder, ScalarsMadeByOneOperationPackIntoOne) {
  GraphBuilder g;
  const NodeId shared = g.exp(g.theta(9));
  std::vector<NodeId> scalars;
  for (std::int32_t i = 0; i < 3; ++i) {
    // The order of a commutative operation's arguments must not matter.
    const NodeId data = g.record_real(i);
    const NodeId product = i == 1 ? g.mul(g.theta(i), data) : g.mul(data, g.theta(i));
    scalars.push_back(g.select(g.binary(Op::lt, data, shared), g.exp(product), shared));
  }
  const NodeId x = g.record_real(0, 3);
  EXPECT_EQ(g.pack(scalars),
            g.select(g.binary(Op::lt, x, shared), g.exp(g.mul(x, g.theta(0, 3))), shared));
  EXPECT_EQ((g.graph()[g.pack({g.exp(g.theta(0)), g.log(g.theta(1))})].op), Op::pack);
}

TEST(GraphBuilder, DeepExpressionsAreRewrittenWithoutDeepRecursion) {
  GraphBuilder g;
  NodeId a = g.theta(0);
  NodeId b = g.theta(1);
  NodeId vector = g.theta(0, 2);
  for (std::int32_t i = 0; i < 50000; ++i) {
    a = g.unary(Op::sin, a);
    b = g.unary(Op::sin, b);
    vector = g.add(vector, g.mul(g.theta(0, 2), g.constant(i)));
  }
  EXPECT_EQ(g.length(g.pack({a, b})), 2);
  EXPECT_EQ(g.length(g.sum(vector)), 1);
}

TEST(ReferenceEvaluator, GivesValuesAndDerivativesOfASmallModel) {
  GraphBuilder g;
  const NodeId eta = g.add(g.theta(0), g.dot(g.theta(1, 2), g.record_real(0, 2)));
  const NodeId root = g.unary(Op::log_inv_logit, eta);
  const std::vector<double> theta = {0.3, -1.0, 2.0};
  const std::vector<double> record = {0.5, 0.25};
  const ReferenceGradient result = reference_gradient(g.graph(), root, theta, {record, {}});
  const double p = 1.0 / (1.0 + std::exp(-0.3));
  EXPECT_DOUBLE_EQ(result.value, std::log(p));
  EXPECT_DOUBLE_EQ(result.gradient[0], 1.0 - p);
  EXPECT_DOUBLE_EQ(result.gradient[1], 0.5 * (1.0 - p));
  EXPECT_DOUBLE_EQ(result.gradient[2], 0.25 * (1.0 - p));
}

}  // namespace
}  // namespace dpvi
