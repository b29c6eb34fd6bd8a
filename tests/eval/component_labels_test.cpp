#include <gtest/gtest.h>

#include <dpvi/eval/component_labels.hpp>
#include <dpvi/fit/mock/mock_records.hpp>
#include <tests/support/bound_program.hpp>

namespace dpvi {
namespace {

ComponentLabels labels_of(const BoundProgram& program) {
  return ComponentLabels::find(program.model,
                               make_mock_records(program.binding, 10, SeededGenerator(5)));
}

BoundProgram mixture(const std::string& means, const std::string& prior) {
  return bind_program("data { int N; vector[N] y; } parameters { simplex[3] w; " + means +
                      " vector<lower=0>[3] s; } model { " + prior + R"( s ~ normal(0, 2);
    for (n in 1:N) {
      vector[3] part = log(w);
      for (k in 1:3) part[k] += normal_lpdf(y[n] | m[k], s[k]);
      target += log_sum_exp(part);
    }
  })");
}

TEST(ComponentLabels, AreFoundWhereNothingTellsComponentsApart) {
  EXPECT_EQ(labels_of(mixture("vector[3] m;", "m ~ normal(0, 5);")).components(), 3u);
}

TEST(ComponentLabels, OrderedComponentsOrDifferentPriorsHaveNone) {
  EXPECT_TRUE(labels_of(mixture("ordered[3] m;", "m ~ normal(0, 5);")).empty());
  EXPECT_TRUE(labels_of(mixture("vector[3] m;", "m ~ normal([-5, 0, 5]', 1);")).empty());
}

TEST(ComponentLabels, CoefficientsAndGroupsAreNoComponents) {
  EXPECT_TRUE(labels_of(bind_program(kLogisticProgram)).empty());
  EXPECT_TRUE(
      labels_of(bind_program("data { int N; array[N] int<lower=1, upper=3> g; vector[N] y; }"
                             "parameters { vector[3] a; } model { a ~ normal(0, 1); "
                             "y ~ normal(a[g], 1); }"))
          .empty());
}

TEST(ComponentLabels, AllParametersOfAComponentMoveTogether) {
  const ComponentLabels labels = labels_of(mixture("vector[3] m;", "m ~ normal(0, 5);"));
  // Weights, means and scales of the components.
  const std::vector<double> truth = {0.5, 0.3, 0.2, -4.0, 0.0, 4.0, 1.0, 2.0, 3.0};
  const std::vector<double> fitted = {0.21, 0.49, 0.3, 4.1, -3.9, 0.2, 2.9, 1.1, 2.2};
  const std::vector<double> scales(9, 1.0);
  const auto order = labels.nearest_order(fitted, truth, scales);
  EXPECT_EQ(order, (std::vector<std::size_t>{1, 2, 0}));
  EXPECT_EQ(labels.reordered(fitted, order),
            (std::vector<double>{0.49, 0.3, 0.21, -3.9, 0.2, 4.1, 1.1, 2.2, 2.9}));
}

}  // namespace
}  // namespace dpvi
