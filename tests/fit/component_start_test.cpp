#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include <dpvi/fit/mock/mock_study.hpp>
#include <tests/support/bound_program.hpp>

namespace dpvi {
namespace {

MockStudy study_of(const std::string& program, const std::string& schema = "") {
  const BoundProgram bound = bind_program(program, schema);
  return study_mock_records(bound.model, bound.binding, 1000.0);
}

// Theta has four entries for the weights, then five centres in the plane, then five log variances.
std::string mixture_in_the_plane(const std::string& prior_sd) {
  return R"(
data { int N; array[N] vector[2] x; }
parameters { simplex[5] weight; array[5] vector[2] mu; vector<lower=0>[5] tau; }
model {
  for (k in 1:5) mu[k] ~ normal(0, )" +
         prior_sd + R"();
  tau ~ inv_gamma(1, 1);
  for (n in 1:N) {
    vector[5] lp;
    for (k in 1:5) lp[k] = log(weight[k]) + normal_lpdf(x[n] | mu[k], sqrt(tau[k]));
    target += log_sum_exp(lp);
  }
})";
}

TEST(ComponentStart, ComponentsOfAMixtureDifferInEveryCoordinate) {
  for (const char* schema : {"", "[columns.\"x.1\"]\nmean=0\nsd=2\n[columns.\"x.2\"]\nsd=2\n"}) {
    const MockStudy study = study_of(mixture_in_the_plane("1"), schema);
    ASSERT_TRUE(study.components_separated);
    for (const std::size_t coordinate : {0u, 1u}) {
      std::set<double> values;
      for (std::size_t k = 0; k < 5; ++k) values.insert(study.start[4 + 2 * k + coordinate]);
      EXPECT_EQ(values.size(), 5u);
      // The 0.1 and 0.9 quantiles of a standard normal are 2.56 apart; 101 draws estimate them to
      // about 0.3.
      EXPECT_NEAR(*values.rbegin() - *values.begin(), 2.56, 1.0);
    }
  }
}

TEST(ComponentStart, WeightsAndScalesOfTheComponentsStartEqual) {
  const MockStudy study = study_of(mixture_in_the_plane("1"));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(study.start[i], 0.0);
  for (std::size_t i = 14; i < 19; ++i) EXPECT_EQ(study.start[i], 0.0);
}

TEST(ComponentStart, VaguePriorsSpreadComponentsNoFartherThanAnAnswerMayBe) {
  const MockStudy study = study_of(mixture_in_the_plane("1000"));
  ASSERT_TRUE(study.components_separated);
  for (const double entry : study.start) EXPECT_LE(std::abs(entry), 2.0 + 1e-12);
}

TEST(ComponentStart, IsTheSameEachTime) {
  EXPECT_EQ(study_of(mixture_in_the_plane("1")).start, study_of(mixture_in_the_plane("1")).start);
}

TEST(ComponentStart, OrderedComponentsStandOnBothSidesOfTheMiddle) {
  const MockStudy study = study_of(R"(
data { int N; vector[N] y; }
parameters { ordered[2] mu; array[2] real<lower=0> sigma; real<lower=0, upper=1> theta; }
model {
  sigma ~ normal(0, 2);
  mu ~ normal(0, 2);
  for (n in 1:N) target += log_mix(theta, normal_lpdf(y[n] | mu[1], sigma[1]),
                                   normal_lpdf(y[n] | mu[2], sigma[2]));
})");
  ASSERT_TRUE(study.components_separated);
  const double lower = study.start[0], upper = lower + std::exp(study.start[1]);
  EXPECT_LT(lower, -0.5);
  EXPECT_NEAR(lower + upper, 0.0, 1e-9);
  EXPECT_LE(upper - lower, 4.0 + 1e-9);
  EXPECT_EQ(study.start[2], study.start[3]);
}

// If the prior separates the components, they start at its locations, not around mock records.
TEST(ComponentStart, ComponentsThatThePriorTellsApartStartWhereItHasThem) {
  const auto start_of = [](const std::string& type) {
    return study_of("data { int N; vector[N] y; } parameters { " + type + R"( mu; }
model {
  mu ~ normal([3, 4]', 0.2);
  for (n in 1:N) target += log_mix(.5, normal_lpdf(y[n] | mu[1], 1), normal_lpdf(y[n] | mu[2], 1));
})",
                    "[columns.y]\nmean = 2.6\nsd = 1\n")
        .start;
  };
  // The median of 101 draws has an error of about 0.03.
  const auto ordered = start_of("ordered[2]"), free = start_of("vector[2]");
  EXPECT_NEAR(ordered[0], 3.0, 0.15);
  EXPECT_NEAR(ordered[0] + std::exp(ordered[1]), 4.0, 0.15);
  EXPECT_NEAR(free[0], 3.0, 0.15);
  EXPECT_NEAR(free[1], 4.0, 0.15);
}

TEST(ComponentStart, ComponentsThatAreSingleParametersAreToldApart) {
  const MockStudy study = study_of(R"(
data { int N; vector[N] y; }
parameters { real a; real b; real<lower=0> sigma; }
model {
  a ~ normal(0, 1);
  b ~ normal(0, 1);
  for (n in 1:N) target += log_mix(.5, normal_lpdf(y[n] | a, sigma), normal_lpdf(y[n] | b, sigma));
})");
  ASSERT_TRUE(study.components_separated);
  EXPECT_GT(std::abs(study.start[0] - study.start[1]), 0.5);
}

TEST(ComponentStart, RatesAreSpreadWhereTheyAreAllThatTellsComponentsApart) {
  const MockStudy study = study_of(R"(
data { int N; array[N] int<lower=0> y; }
parameters { vector<lower=0>[3] rate; }
model {
  rate ~ gamma(2, .5);
  for (n in 1:N) {
    vector[3] lp;
    for (k in 1:3) lp[k] = poisson_lpmf(y[n] | rate[k]);
    target += log_sum_exp(lp);
  }
})");
  ASSERT_TRUE(study.components_separated);
  const std::set<double> rates(study.start.begin(), study.start.end());
  EXPECT_EQ(rates.size(), 3u);
}

// A record's information about these parameters varies between records.
TEST(ComponentStart, CoefficientsGroupEffectsAndCutpointsStartWhereTheyDidBefore) {
  const char* const zero_inflated = R"(
data { int N; vector[N] u; vector[N] v; array[N] int<lower=0> y; }
parameters { real a; vector[2] b; real<lower=0, upper=1> theta; }
model {
  a ~ normal(0, 1);
  b ~ normal(0, 1);
  for (n in 1:N) {
    real eta = a + b[1] * u[n] + b[2] * v[n];
    if (y[n] == 0) target += log_sum_exp(log(theta), log1m(theta) + poisson_log_lpmf(0 | eta));
    else target += log1m(theta) + poisson_log_lpmf(y[n] | eta);
  }
})";
  const char* const groups = R"(
data { int N; array[N] int<lower=1, upper=6> g; vector[N] y; }
parameters { vector[6] effect; real<lower=0> tau; real<lower=0> sigma; }
model { effect ~ normal(0, tau); tau ~ normal(0, 1); y ~ normal(effect[g], sigma); }
)";
  const char* const ordinal = R"(
data { int N; vector[N] u; array[N] int<lower=1, upper=4> y; }
parameters { real b; ordered[3] c; }
model { b ~ normal(0, 1); c ~ normal(0, 3); y ~ ordered_logistic(b * u, c); }
)";
  for (const char* program : {kLogisticProgram, zero_inflated, groups, ordinal}) {
    const MockStudy study = study_of(program);
    EXPECT_FALSE(study.components_separated) << program;
    EXPECT_EQ(study.start, study.coordinates.centre());
  }
}

}  // namespace
}  // namespace dpvi
