#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <dpvi/fit/mock/component_labels.hpp>
#include <dpvi/fit/mock/mock_study.hpp>
#include <dpvi/fit/plan/count_plan.hpp>
#include <dpvi/fit/trace/count_inference_internal.hpp>
#include <tests/support/bound_program.hpp>

namespace dpvi {
namespace {

constexpr double kRecords = 5000.0;

// The counts that a mixture of three components gives, and what follows from them.
class Counted {
 public:
  explicit Counted(const std::string& declaration)
      : bound_(bind_program("data { int N; vector[N] y; }\nparameters { " + declaration +
                                " mu; simplex[3] w; }\n"
                                "model { mu ~ normal(0, 4); w ~ dirichlet([4, 4, 4]');\n"
                                "  for (n in 1:N) { vector[3] p = log(w);\n"
                                "    for (k in 1:3) p[k] += normal_lpdf(y[n] | mu[k], 1);\n"
                                "    target += log_sum_exp(p); } }\n",
                            "[columns.y]\nmean = 0\nsd = 4.1\n")),
        study_(study_mock_records(bound_.model, bound_.binding, kRecords)),
        plan_(*choose_counts(bound_.model, bound_.binding, study_,
                             std::make_shared<const OutcomeSimulator>(bound_.model, bound_.binding))
                   .plan) {}

  Eigen::VectorXd shares_at(const std::vector<double>& theta) const {
    MockPopulation population(bound_.model, bound_.binding, OutcomeLaw{}, plan_.simulator, 20000);
    population.redraw(theta);
    return bin_shares(population, *plan_.bins);
  }

  CountMeasurement measured(const std::vector<double>& theta, double noise_sd) const {
    return {.counts = kRecords * shares_at(theta),
            .noise_sd = noise_sd,
            .records = kRecords,
            .records_spread = 0.7};
  }

  CountedStart start(const CountMeasurement& measured) const {
    return start_from_counts(bound_.model, bound_.binding, plan_, measured);
  }

  const std::vector<ComponentEntries>& components() const { return plan_.components; }

 private:
  BoundProgram bound_;
  MockStudy study_;
  CountPlan plan_;
};

TEST(CountInference, FindsComponentsOnOneSideOfZero) {
  const Counted counted("vector[3]");
  const CountedStart found = counted.start(counted.measured({1.0, 4.2, 7.5, 0.2, -0.1}, 25.0));
  std::array<double, 3> means = {found.theta[0], found.theta[1], found.theta[2]};
  std::ranges::sort(means);
  EXPECT_NEAR(means[0], 1.0, 0.5);
  EXPECT_NEAR(means[1], 4.2, 0.5);
  EXPECT_NEAR(means[2], 7.5, 0.5);
  EXPECT_NEAR(found.records, kRecords, 500.0);
  EXPECT_FALSE(found.ambiguous);
}

TEST(CountInference, SaysThatNoiseHidesTheComponents) {
  const Counted counted("vector[3]");
  EXPECT_TRUE(counted.start(counted.measured({1.0, 4.2, 7.5, 0.2, -0.1}, 3000.0)).ambiguous);
}

TEST(CountInference, TellsARightResultFromAWrongOne) {
  const Counted counted("vector[3]");
  const std::vector<double> truth = {1.0, 4.2, 7.5, 0.2, -0.1};
  const CountMeasurement measured = counted.measured(truth, 25.0);
  const CountMisfit right = misfit_of(measured, counted.shares_at(truth), 20000.0);
  const CountMisfit wrong =
      misfit_of(measured, counted.shares_at({4.0, 4.2, 7.5, 0.2, -0.1}), 20000.0);
  EXPECT_EQ(right.terms, 34.0);
  EXPECT_LT(right.chi_square, right.terms);
  EXPECT_GT(wrong.chi_square, 10.0 * wrong.terms);
}

TEST(ComponentLabels, DistanceIsThatOfTheBestLabels) {
  const std::vector<ComponentEntries> components = {{{0, 1, 2}, false}};
  const std::vector<double> a = {1.0, 5.0, 9.0}, b = {9.0, 1.0, 5.5}, scales = {2.0, 2.0, 2.0};
  EXPECT_DOUBLE_EQ(distance_of_components(a, b, components, scales), 0.25);
}

TEST(ComponentLabels, OrderedPlacesAreComparedAsPlaces) {
  const std::vector<ComponentEntries> components = {{{0, 1}, true}};
  const std::vector<double> a = {1.0, 0.0}, b = {1.5, std::log(0.5)}, scales = {1.0, 1.0};
  EXPECT_NEAR(distance_of_components(a, b, components, scales), 0.5, 1e-12);
}

}  // namespace
}  // namespace dpvi
