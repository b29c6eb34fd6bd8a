#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include <dpvi/fit/plan/clip_plan.hpp>
#include <dpvi/fit/plan/noise_forecast.hpp>
#include <tests/support/bound_program.hpp>

namespace dpvi {
namespace {

constexpr const char* kDeclaredMean = "[columns.y]\nmean = 5\nsd = 2\n";

MockStudy study_of(const char* program, const std::string& schema, double rows = 1000.0) {
  const BoundProgram bound = bind_program(program, schema);
  return study_mock_records(bound.model, bound.binding, rows);
}

// For y ~ normal(mu, 2), a record has information 1/4 and the prior 1/9.
TEST(MockStudy, KnowsHowMuchARecordAndThePriorInform) {
  const MockStudy study = study_of(kMeanProgram, kDeclaredMean);
  EXPECT_NEAR(study.record_precision[0], 0.25, 1e-6);
  EXPECT_NEAR(study.prior_precision[0], 1.0 / 9.0, 1e-6);
  EXPECT_NEAR(study.theta[0], 5.0, 0.5);  // five standard errors of the mean of 512 records
}

TEST(MockStudy, MockUnitsHaveAllTheirRows) {
  const std::string unit = "[table]\nunit = \"id\"\nmax_rows_per_unit = 4\n";
  const MockStudy rows = study_of(kMeanProgram, kDeclaredMean, 1e9);
  const MockStudy study = study_of(kMeanProgram, unit + kDeclaredMean, 1e9);
  EXPECT_EQ(study.rows_per_record, 4.0);
  EXPECT_EQ(study.records_in(1000.0), 250.0);
  EXPECT_NEAR(study.record_precision[0], 1.0, 1e-6);  // the information of four rows
  // The coordinates depend on the number of rows, not on how units share them.
  EXPECT_NEAR(study.coordinates.factor(0, 0), rows.coordinates.factor(0, 0), 1e-5);
  // A sum of four independent gradients is twice as long as one. Medians of 512 are accurate to 6
  // %.
  EXPECT_NEAR(study.norm_quantile(0.5) / rows.norm_quantile(0.5), 2.0, 0.4);
}

TEST(MockStudy, LongMockUnitsAreShortened) {
  const MockStudy study =
      study_of(kMeanProgram, "[table]\nunit = \"id\"\nmax_rows_per_unit = 2000000000\n", 1000.0);
  EXPECT_EQ(study.rows_per_record, 256.0);
  EXPECT_EQ(study.gradient_norms.size(), 32u);
  EXPECT_EQ(study.records_in(100.0), 1.0);
}

TEST(MockStudy, CoordinatesAreRoundAroundTheMockModeWhereColumnsAreKnown) {
  const MockStudy study = study_of(kMeanProgram, kDeclaredMean, 1e9);
  EXPECT_TRUE(study.unknown_columns.empty());
  EXPECT_EQ(study.coordinates.centre(), study.theta);
  // The standard deviation given the information of four records.
  EXPECT_NEAR(study.coordinates.factor(0, 0), 1.0, 1e-5);
}

TEST(MockStudy, CoordinatesAreThetaWhereAColumnIsUnknown) {
  const MockStudy study = study_of(kMeanProgram, "");
  EXPECT_EQ(study.unknown_columns, std::vector<std::string>{"y"});
  EXPECT_EQ(study.coordinates.centre()[0], 0.0);
  EXPECT_EQ(study.coordinates.factor(0, 0), 1.0);
}

// The joint mode of group effects and their scale is at zero, far from the posterior mass.
TEST(MockStudy, ScaleOfGroupEffectsDoesNotDrawItIntoTheNeckOfAFunnel) {
  const MockStudy study = study_of(
      R"(data { int N; array[N] int<lower=1, upper=4> g; array[N] int<lower=0, upper=1> y; }
parameters { real a; vector[4] u; real<lower=0> tau; }
model { a ~ normal(0, 2); tau ~ normal(0, 1); u ~ normal(0, tau); y ~ bernoulli_logit(a + u[g]); })",
      "");
  ASSERT_EQ(study.theta.size(), 6u);
  EXPECT_GT(study.theta[5], -3.0);  // log tau
  for (std::size_t i = 0; i < study.theta.size(); ++i) {
    EXPECT_GT(study.coordinates.factor(i, i), 0.05) << i;
    EXPECT_LT(study.coordinates.factor(i, i), 5.0) << i;
  }
}

// An uncentred column correlates its coefficient with the intercept; the working coordinates remove
// the correlation.
TEST(MockStudy, CoordinatesTurnWhatAnUncentredColumnTies) {
  const MockStudy study = study_of(kLogisticProgram,
                                   "[columns.a]\nmean = 100\nsd = 15\n[columns.b]\nmean = 0\nsd = "
                                   "1\n[columns.y]\ntype = 'int'\n",
                                   1e6);
  const Coordinates& c = study.coordinates;
  double z[3][3] = {};  // factor^T (information of 4 records) factor
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = i; k < 3; ++k) {
        for (std::size_t l = j; l < 3; ++l) {
          z[i][j] += 4.0 * c.factor(k, i) * study.record_precision[k * 3 + l] * c.factor(l, j);
        }
      }
    }
  }
  // Correlations that may be due to chance are left.
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(z[i][j], i == j ? 1.0 : 0.0, 0.4);
  }
}

// A tight prior limits the size of a coefficient, not the noise it can tolerate.
TEST(MockStudy, UnitsDoNotFollowThePriorWhereRecordsDecide) {
  const auto unit = [](const char* prior) {
    const std::string program =
        std::string("data { int N; vector[N] y; } parameters { real mu; } ") +
        "model { mu ~ normal(0, " + prior + "); y ~ normal(mu, 2); }";
    return study_of(program.c_str(), "[columns.y]\nmean = 0\nsd = 2\n", 1e9)
        .coordinates.factor(0, 0);
  };
  EXPECT_NEAR(unit("0.1"), unit("10"), 1e-3);
}

// With equally frequent levels, each unit would be the square root of the number of levels.
TEST(MockStudy, RareLevelsGetShortUnits) {
  const auto first_unit = [](int levels) {
    std::string names;
    for (int i = 0; i < levels; ++i) names += "'" + std::to_string(i) + "',";
    const MockStudy study = study_of(
        R"(data { int N; int K; matrix[N, K] x; array[N] int<lower=0, upper=1> y; }
parameters { vector[K] b; } model { b ~ normal(0, 3); y ~ bernoulli_logit(x * b); })",
        "[columns.g]\ntype = 'category'\ncoding = 'one-hot'\nlevels = [" + names +
            "]\n[model]\nx = ['g']\n",
        1e6);
    return study.coordinates.factor(0, 0);
  };
  EXPECT_NEAR(first_unit(2), std::sqrt(2.0), 0.2);
  EXPECT_NEAR(first_unit(4), 2.0, 0.4);
  EXPECT_LT(first_unit(32), 1.2);  // sqrt(32) / 8 = 0.7, from about 16 records
}

// The forecast's allowance for effects that mock outcomes lack.
constexpr double kRealTables = 1.5;

TEST(NoiseForecast, OfAMeanIsTheNoiseOfItsGradientOverItsPrecision) {
  const MockStudy study = study_of(kMeanProgram, kDeclaredMean);
  ForecastRun run{.clip_bound = 3.0,
                  .gradient_bound = 100.0,
                  .rows = 2000.0,
                  .averaged_steps = 400.0,
                  .noise_square = 5.0 * 5.0};
  const NoiseForecast forecast = forecast_noise(study, run);
  const double precision = 2000.0 * 0.25 + 1.0 / 9.0;
  // The clip bound applies in working coordinates, whose scale differs from theta's.
  const double by_theta = 1.0 / study.coordinates.factor(0, 0);
  const double noise = kRealTables * 3.0 * 5.0 / 20.0 * by_theta / precision;
  EXPECT_NEAR(forecast.noise_sd[0], noise, 1e-6);
  EXPECT_EQ(forecast.clip_shift[0], 0.0);
  // Each step samples a tenth of the records. A gradient has variance 1/4, estimated from 512
  // records.
  run.noise_square *= 100.0;
  run.sampling = 0.9 / 0.1;
  const double sampling = kRealTables * std::sqrt(2000.0 * 9.0 * 0.25) / 20.0 / precision;
  EXPECT_NEAR(forecast_noise(study, run).noise_sd[0], std::hypot(10.0 * noise, sampling),
              0.05 * sampling);
  EXPECT_NEAR(forecast.posterior_sd[0], 1.0 / std::sqrt(precision), 1e-6);
  EXPECT_NEAR(forecast.prior_sd[0], 3.0, 1e-5);
}

TEST(NoiseForecast, FallsWithTheRowsAndRisesWithTheNoise) {
  const MockStudy study = study_of(kLogisticProgram, "");
  const auto noise = [&](double multiplier, double rows) {
    const ForecastRun run{
        .rows = rows, .averaged_steps = 650.0, .noise_square = multiplier * multiplier};
    return forecast_noise(study, run).noise_sd;
  };
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(noise(10.0, 1e6)[i] / noise(10.0, 1e5)[i], 0.1, 0.01);
    EXPECT_NEAR(noise(20.0, 1e5)[i] / noise(10.0, 1e5)[i], 2.0, 1e-9);
  }
}

TEST(NoiseForecast, ATighterClipBoundMovesTheMeanFurther) {
  const MockStudy study = study_of(kLogisticProgram, "");
  double last = 0.0;
  for (const double share : {1.0, 0.9, 0.5, 0.1}) {
    const ForecastRun run{.gradient_bound = study.norm_quantile(share), .rows = 1e4};
    const double shift = forecast_noise(study, run).clip_shift[0];
    EXPECT_TRUE(share == 1.0 ? shift == 0.0 : shift > 1.5 * last) << share;
    last = shift;
  }
}

TEST(NoiseForecast, AFlatPriorHasAnInfiniteSpread) {
  const MockStudy study =
      study_of("data { int N; vector[N] y; } parameters { real mu; } model { y ~ normal(mu, 1); }",
               kDeclaredMean);
  EXPECT_EQ(forecast_noise(study, {}).prior_sd[0], std::numeric_limits<double>::infinity());
}

class ClipPlans : public testing::Test {
 protected:
  MockStudy study_ = study_of(kLogisticProgram, "");
  GaussianRun run_ = {{0.1, 20.0, 1000}};
};

TEST_F(ClipPlans, ManyRowsShortenFewRecordsAndFewRowsMany) {
  const auto share = [&](double rows) {
    return plan_clipping(ClipMode::adaptive, {}, study_, run_,
                         {.rows = rows, .dimension = study_.theta.size()})
        .coordinate->unshortened_share;
  };
  EXPECT_GT(share(1e7), 0.9995);
  EXPECT_EQ(share(100.0), 0.70);
  EXPECT_NEAR(share(2000.0), 1.0 - 4.0 * 20.0 * std::sqrt(3.0) / (0.1 * std::sqrt(1000.0) * 2000.0),
              1e-12);
}

TEST_F(ClipPlans, ManyParametersShortenMoreThanTheirNoiseAlone) {
  const auto shortened = [&](std::size_t dimension) {
    return 1.0 - plan_clipping(ClipMode::adaptive, {}, study_, run_,
                               {.rows = 20000.0, .dimension = dimension})
                     .coordinate->unshortened_share;
  };
  EXPECT_NEAR(shortened(40), 12.0 * 20.0 * std::sqrt(40.0) / (0.1 * std::sqrt(1000.0) * 20000.0),
              1e-12);
  EXPECT_NEAR(shortened(160), 2.0 * shortened(40), 1e-12);
}

// Under much noise most records are shortened; without noise none, so that a wrong law does no
// harm.
TEST_F(ClipPlans, ByLawShortenManyRecordsUnderNoiseAndNoneWithoutIt) {
  ASSERT_TRUE(study_.law.found());
  double previous = 0.0;
  for (const double rows : {50.0, 500.0, 5e3, 5e4, 5e5, 5e7}) {
    const double share =
        plan_clipping(ClipMode::adaptive, {}, study_, run_,
                      {.rows = rows, .dimension = study_.theta.size()}, ClipCentre::law)
            .coordinate->unshortened_share;
    EXPECT_GE(share, previous) << rows;
    if (rows == 50.0) {
      EXPECT_LT(share, 0.5);
    }
    previous = share;
  }
  EXPECT_GT(previous, 0.99);
}

TEST_F(ClipPlans, FirstBoundIsTrustedWhereColumnsAreKnown) {
  const auto spread = [&] {
    return plan_clipping(ClipMode::adaptive, {}, study_, run_,
                         {.rows = 1e4, .dimension = study_.theta.size()})
        .first_spread;
  };
  const double guessed = spread();
  study_.unknown_columns.clear();
  EXPECT_LT(spread(), 0.5 * guessed);
}

TEST_F(ClipPlans, PhasesThatMakeUpARunAreThatRun) {
  const auto share = [&](const GaussianRun& run) {
    return plan_clipping(ClipMode::adaptive, {}, study_, run,
                         {.rows = 2000.0, .dimension = study_.theta.size()})
        .coordinate->unshortened_share;
  };
  EXPECT_NEAR(share({{0.1, 20.0, 400}, {0.1, 20.0, 600}}), share(run_), 1e-12);
}

TEST_F(ClipPlans, GivenBoundIsTaken) {
  for (const ClipMode mode : {ClipMode::fixed, ClipMode::adaptive, ClipMode::normalised}) {
    EXPECT_EQ(plan_clipping(mode, std::array{0.3}, study_, run_,
                            {.rows = 1e4, .dimension = study_.theta.size()})
                  .first_bound,
              0.3);
  }
}

// The averaged iterates come from the end of the run.
TEST_F(ClipPlans, OfSeveralGivenBoundsTheFirstStartsAndTheLastIsForecast) {
  const ClipPlan plan = plan_clipping(ClipMode::fixed, std::array{0.3, 0.1}, study_, run_,
                                      {.rows = 1e4, .dimension = study_.theta.size()});
  EXPECT_EQ(plan.first_bound, 0.3);
  EXPECT_EQ(plan.forecast_bound, 0.1);
}

TEST_F(ClipPlans, OnlyAnAdaptiveBoundHasAClipCoordinate) {
  const auto plan = [&](ClipMode mode) {
    return plan_clipping(mode, {}, study_, run_, {.rows = 1e4, .dimension = study_.theta.size()});
  };
  EXPECT_TRUE(plan(ClipMode::adaptive).coordinate.has_value());
  EXPECT_FALSE(plan(ClipMode::fixed).coordinate.has_value());
  EXPECT_FALSE(plan(ClipMode::normalised).coordinate.has_value());
  EXPECT_EQ(plan(ClipMode::normalised).rule, ClipRule::normalise);
}

TEST_F(ClipPlans, QuantilesOfMockNormsAreInOrder) {
  EXPECT_LT(study_.norm_quantile(0.1), study_.norm_quantile(0.5));
  EXPECT_LT(study_.norm_quantile(0.5), study_.norm_quantile(0.99));
  MockStudy none = study_;
  none.gradient_norms.clear();
  EXPECT_EQ(none.norm_quantile(0.5), 1.0);
}

}  // namespace
}  // namespace dpvi
