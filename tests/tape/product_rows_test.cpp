#include <gtest/gtest.h>

#include <random>

#include <tests/tape/tape_runner.hpp>

namespace dpvi {
namespace {

constexpr std::int32_t kTerms = 40;

// Evaluates a block both ways and multiplies out the remaining products.
template <class T>
void expect_factors_give_rows(const GraphBuilder& g, NodeId root, std::int32_t theta_size) {
  const RecordTape tape(g.graph(), root, theta_size);
  TapeWorkspace<T> workspace(tape);
  std::mt19937_64 random(3);
  tape.begin_draw(workspace, random_reals(random, theta_size));
  const auto numbers = [](std::int32_t rows) { return static_cast<std::size_t>(rows * kLanes); };
  std::vector<T> reals;
  for (const double x : random_reals(random, tape.real_columns() * kLanes)) {
    reals.push_back(static_cast<T>(x));
  }
  std::vector<T> values(kLanes), rows(numbers(tape.rows().size())), factors(rows.size());
  const LaneBlock<T> block{reals.data(), nullptr};
  tape.evaluate_rows(workspace, block, values.data(), rows.data(), nullptr);
  std::vector<T> again(kLanes);
  tape.evaluate_factors(workspace, block, again.data(), factors.data(), nullptr);
  EXPECT_EQ(values, again);
  for (const ProductRows& product : tape.products()) {
    std::vector<T> centres(static_cast<std::size_t>(product.count), T{0});
    if (product.has_centres()) tape.copy_centres(workspace, product, centres.data());
    const std::vector<T> factor(&factors[numbers(product.first)],
                                &factors[numbers(product.first)] + kLanes);
    for (std::int32_t i = 0; i < product.count; ++i) {
      const T* column = &reals[numbers(product.column + i * product.column_step)];
      for (std::size_t l = 0; l < kLanes; ++l) {
        factors[numbers(product.first + i) + l] =
            factor[l] * (column[l] - centres[static_cast<std::size_t>(i)]);
      }
    }
  }
  EXPECT_EQ(factors, rows);
}

void expect_products(const GraphBuilder& g, NodeId root, std::int32_t theta_size,
                     std::size_t products) {
  EXPECT_EQ(RecordTape(g.graph(), root, theta_size).products().size(), products);
  expect_factors_give_rows<float>(g, root, theta_size);
  expect_factors_give_rows<double>(g, root, theta_size);
}

NodeId predictor(GraphBuilder& g) {
  return g.add(g.theta(0), g.dot(g.theta(1, kTerms), g.record_real(0, kTerms)));
}

TEST(ProductRows, CoefficientsOfALinearPredictorAreOneProduct) {
  GraphBuilder g;
  expect_products(g, g.unary(Op::log_inv_logit, predictor(g)), kTerms + 1, 1);
}

TEST(ProductRows, AScalarOfTheDrawGoesIntoTheFactor) {
  GraphBuilder g;
  const NodeId root = g.unary(Op::log_inv_logit, g.mul(g.exp(g.theta(kTerms + 1)), predictor(g)));
  expect_products(g, root, kTerms + 2, 1);
}

TEST(ProductRows, MeansHaveCentres) {
  GraphBuilder g;
  const NodeId x = g.record_real(0, kTerms);
  const NodeId first = g.squared_distance(x, g.theta(0, kTerms));
  const NodeId second = g.squared_distance(g.theta(kTerms, kTerms), x);
  expect_products(g, g.unary(Op::log_inv_logit, g.sub(first, second)), 2 * kTerms, 2);
}

// Two instructions write the same rows, so the rows are sums and not products.
TEST(ProductRows, CoefficientsThatAreUsedTwiceAreNone) {
  GraphBuilder g;
  const NodeId again = g.dot(g.theta(1, kTerms), g.record_real(kTerms, kTerms));
  const NodeId root = g.add(g.square(predictor(g)), g.unary(Op::log_inv_logit, again));
  expect_products(g, root, kTerms + 1, 0);
}

TEST(ProductRows, FewRowsAreWrittenOut) {
  GraphBuilder g;
  const NodeId root = g.square(g.dot(g.theta(0, 8), g.record_real(0, 8)));
  expect_products(g, root, 8, 0);
}

}  // namespace
}  // namespace dpvi
