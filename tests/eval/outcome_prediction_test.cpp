#include <dpvi/eval/outcome_scores.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <dpvi/eval/posterior_draws.hpp>
#include <dpvi/family/make_family.hpp>

#include "tests/support/bound_program.hpp"

namespace dpvi {
namespace {

double inv_logit(double x) { return 1 / (1 + std::exp(-x)); }

const std::vector<std::vector<double>> kThetas = {{0.2, 1, -1}, {-0.5, 0.4, 2}, {0, 3, 0.1}};

// The table has columns a, b and the outcome, as the logistic program reads them.
RowTable logistic_rows(const RecordModel& model) {
  RowTable rows = empty_rows(model.stan().record_variables, 4);
  rows.reals = {1, 0.5, -2, 0, 0.3, 0.3, 7, 7};
  rows.integers = {1, 0, 1, 0};
  rows.usable = {true, true, true, false};
  rows.observed = {true, true, false, true};
  return rows;
}

TEST(OutcomePrediction, ProbabilitiesAreMeansOverDraws) {
  const BoundProgram bound = bind_program(kLogisticProgram);
  const OutcomeColumn outcome(bound.binding, "y");
  EXPECT_EQ(outcome.labels(), (std::vector<std::string>{"0", "1"}));
  const RowTable rows = logistic_rows(bound.model);
  const OutcomePrediction found =
      predict_outcome(bound.model, outcome, rows, {kThetas, SeededGenerator(1), 2});
  ASSERT_EQ(found.probabilities.size(), 1u);
  EXPECT_EQ(found.probabilities[0].name, "y_p_1");
  for (std::size_t row = 0; row < 3; ++row) {
    double mean = 0;
    for (const auto& theta : kThetas) {
      mean += inv_logit(theta[0] + theta[1] * rows.reals[2 * row] +
                        theta[2] * rows.reals[2 * row + 1]) /
              3;
    }
    EXPECT_NEAR(found.probabilities[0].mean[row], mean, 1e-12);
    EXPECT_NEAR(found.by_value[0][row] + found.by_value[1][row], 1, 1e-12);
  }
  EXPECT_NEAR(found.log_density[0], std::log(found.by_value[1][0]), 1e-12);
  EXPECT_NEAR(found.log_density[1], std::log(found.by_value[0][1]), 1e-12);
  EXPECT_TRUE(std::isnan(found.log_density[2]));            // the outcome is missing
  EXPECT_TRUE(std::isnan(found.probabilities[0].mean[3]));  // the row is unusable
}

TEST(OutcomePrediction, DensitiesAreAveragedBeforeTheLogarithm) {
  const BoundProgram bound = bind_program(kMeanProgram);
  const OutcomeColumn outcome(bound.binding, "y");
  EXPECT_TRUE(outcome.values().empty());
  RowTable rows = empty_rows(bound.model.stan().record_variables, 2);
  rows.reals = {0.7, -300};
  rows.observed = {true, true};
  const std::vector<std::vector<double>> thetas = {{0}, {1}};
  const auto found = predict_outcome(bound.model, outcome, rows, {thetas, SeededGenerator(1), 1});
  const auto density = [](double y, double mu) {
    return std::exp(-0.5 * std::pow((y - mu) / 2, 2)) / (2 * std::sqrt(2 * std::numbers::pi));
  };
  EXPECT_NEAR(found.log_density[0], std::log((density(0.7, 0) + density(0.7, 1)) / 2), 1e-12);
  EXPECT_TRUE(std::isfinite(found.log_density[1]));
  EXPECT_TRUE(found.probabilities.empty());
}

TEST(OutcomePrediction, LaplaceIsThePapersFormula) {
  const BoundProgram bound = bind_program(kLogisticProgram);
  const OutcomeColumn outcome(bound.binding, "y");
  const RowTable rows = logistic_rows(bound.model);
  const SharedFamily family = make_family(FamilyKind::full_rank, 3);
  const std::vector<double> mean = {0.2, 1, -1};
  const std::vector<double> factor = {0.5, 0, 0, 0.1, 0.3, 0, -0.2, 0.4, 0.6};
  const auto found = predict_by_probit_approximation(bound.model, outcome, rows, *family,
                                                     family->parameters(mean, {factor}));
  for (std::size_t row = 0; row < 3; ++row) {
    const double x[] = {1, rows.reals[2 * row], rows.reals[2 * row + 1]};
    double a = 0, variance = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      a += mean[i] * x[i];
      double along = 0;
      for (std::size_t j = 0; j < 3; ++j) along += factor[j * 3 + i] * x[j];
      variance += along * along;
    }
    const double expected = inv_logit(a / std::sqrt(1 + std::numbers::pi * variance / 8));
    EXPECT_NEAR(found.probabilities[0].mean[row], expected, 1e-12);
  }
}

TEST(OutcomePrediction, LevelsOfACategoryAreItsValues) {
  const BoundProgram bound = bind_program(R"(
data { int N; int K; array[N] int<lower=1, upper=K> y; vector[N] x; }
parameters { vector[K] b; }
model { b ~ normal(0, 1); for (n in 1:N) y[n] ~ categorical_logit(b * x[n]); }
)",
                                          "[columns.y]\nlevels = [\"red\", \"green\", \"blue\"]\n");
  const OutcomeColumn outcome(bound.binding, "y");
  EXPECT_EQ(outcome.labels(), (std::vector<std::string>{"red", "green", "blue"}));
  RowTable rows = empty_rows(bound.model.stan().record_variables, 1);
  rows.reals = {2};
  const std::vector<std::vector<double>> thetas = {{0, std::log(2) / 2, std::log(5) / 2}};
  const auto found = predict_outcome(bound.model, outcome, rows, {thetas, SeededGenerator(1), 1});
  ASSERT_EQ(found.probabilities.size(), 3u);
  EXPECT_EQ(found.probabilities[2].name, "y_p_blue");
  EXPECT_NEAR(found.probabilities[2].mean[0], 5.0 / 8, 1e-12);
  EXPECT_TRUE(found.log_density.empty());
}

TEST(OutcomeScores, AreWhatTheyAreByHand) {
  const BoundProgram bound = bind_program(kLogisticProgram);
  const OutcomeColumn outcome(bound.binding, "y");
  const RowTable rows = logistic_rows(bound.model);
  OutcomePrediction predicted;
  predicted.by_value = {{0.1, 0.6, 0.5, 0.5}, {0.9, 0.4, 0.5, 0.5}};
  predicted.log_density = {std::log(0.9), std::log(0.6), NAN, NAN};
  const OutcomeScores scores = score_outcome(predicted, outcome, rows);
  EXPECT_EQ(scores.rows, 2u);
  EXPECT_EQ(scores.left_out, 2u);
  EXPECT_NEAR(scores.log_predictive_density, (std::log(0.9) + std::log(0.6)) / 2, 1e-12);
  EXPECT_NEAR(*scores.accuracy, 1, 1e-12);
  EXPECT_NEAR(*scores.brier, (0.01 + 0.16) / 2, 1e-12);
  ASSERT_EQ(scores.calibration.size(), 2u);
  EXPECT_NEAR(scores.calibration[0].predicted, 0.4, 1e-12);
  EXPECT_EQ(scores.calibration[0].observed, 0);
  EXPECT_EQ(scores.calibration[1].lower, 0.9);
  EXPECT_EQ(scores.calibration[1].observed, 1);
}

TEST(PosteriorDraws, RepeatWithTheSeedAndFollowTheFamily) {
  const SharedFamily family = make_family(FamilyKind::mean_field, 2);
  const std::vector<double> location = {3, -1}, scales = {0.5, 2};
  const auto parameters = family->parameters_of_scales(location, scales);
  const auto draws = posterior_draws(*family, parameters, 20000, SeededGenerator(3));
  EXPECT_EQ(draws, posterior_draws(*family, parameters, 20000, SeededGenerator(3)));
  for (std::size_t i = 0; i < 2; ++i) {
    double mean = 0, square = 0;
    for (const auto& theta : draws) {
      mean += theta[i] / 20000;
      square += theta[i] * theta[i] / 20000;
    }
    // The tolerance is five standard errors.
    EXPECT_NEAR(mean, location[i], 5 * scales[i] / std::sqrt(20000));
    EXPECT_NEAR(square - mean * mean, scales[i] * scales[i], 5 * scales[i] * scales[i] * 0.01);
  }
}

}  // namespace
}  // namespace dpvi
