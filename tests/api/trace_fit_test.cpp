#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dpvi/base/error.hpp>
#include <tests/api/door_example.hpp>
#include <tests/support/error_text.hpp>
#include <tests/support/temporary_folder.hpp>

// Fits of simulated tables whose posterior is inferred from measurements.
namespace dpvi {
namespace {

constexpr int kRows = 4000;

struct SimulatedTable {
  std::string model;
  std::string csv;
  std::vector<double> truth;  // of the unconstrained parameters
  std::string schema = fmt::format(
      "[table]\nrows = {}\n[columns.a]\nmean = 0\nsd = 1\n[columns.b]\nmean = 0\nsd = 1\n", kRows);
};

// Two columns with correlation .6, which the schema does not know.
template <class Outcome>
SimulatedTable simulate(const std::string& outcome, const std::string& parameters,
                        const std::string& law, std::vector<double> truth, const Outcome& draw) {
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal;
  std::string csv = "a,b,y\n";
  for (int i = 0; i < kRows; ++i) {
    const double a = normal(engine), b = 0.6 * a + 0.8 * normal(engine);
    csv += fmt::format("{},{},{}\n", a, b, draw(engine, truth[0] + truth[1] * a + truth[2] * b));
  }
  return {fmt::format("data {{ int N; vector[N] a; vector[N] b; {0} y; }}\n"
                      "parameters {{ real alpha; vector[2] beta; {1} }}\n"
                      "model {{ alpha ~ normal(0, 2); beta ~ normal(0, 1); {2} }}\n",
                      outcome, parameters, law),
          std::move(csv), std::move(truth)};
}

std::vector<SimulatedTable> tables() {
  using Engine = std::mt19937_64;
  return {simulate("array[N] int<lower=0, upper=1>", "",
                   "y ~ bernoulli_logit(alpha + beta[1] * a + beta[2] * b);", {-0.5, 1.0, -0.7},
                   [](Engine& engine, double mean) {
                     return std::bernoulli_distribution(1.0 / (1.0 + std::exp(-mean)))(engine) ? 1
                                                                                               : 0;
                   }),
          simulate("array[N] int<lower=0>", "",
                   "y ~ poisson_log(alpha + beta[1] * a + beta[2] * b);", {0.4, 0.3, -0.5},
                   [](Engine& engine, double mean) {
                     return std::poisson_distribution<int>(std::exp(mean))(engine);
                   }),
          simulate("vector[N]", "real<lower=0> sigma;",
                   "sigma ~ lognormal(0, 1); y ~ normal(alpha + beta[1] * a + beta[2] * b, sigma);",
                   {1.0, 0.8, -0.4, std::log(1.5)}, [](Engine& engine, double mean) {
                     return std::normal_distribution<double>(mean, 1.5)(engine);
                   })};
}

FitRequest by_measurements(double epsilon) {
  return {.privacy = {.epsilon = epsilon, .delta = 1e-5},
          .settings = {.posterior = PosteriorKind::trace, .draws = 400}};
}

FitResult fit_table(const SimulatedTable& table, const FitRequest& request) {
  const TemporaryFolder folder;
  const SameKeys keys;
  const Program program = read_program({.model_file = folder.write("m.stan", table.model),
                                        .schema_file = folder.write("s.toml", table.schema)});
  return fit(open_records(plan_fit(program, TableFile{folder.write("t.csv", table.csv)}, request)),
             {.threads = 1});
}

TEST(FitByMeasurements, FindsParametersWithinItsOwnUncertainty) {
  for (const SimulatedTable& table : tables()) {
    for (const double epsilon : {0.3, 3.0}) {
      const FitResult result = fit_table(table, by_measurements(epsilon));
      const auto location = result.total.family->location(result.total.parameters);
      const auto sds = result.total.family->standard_deviations(result.total.parameters);
      for (std::size_t i = 0; i < table.truth.size(); ++i) {
        EXPECT_LT(std::abs(location[i] - table.truth[i]), 4.0 * sds[i])
            << table.model << epsilon << ", " << result.unconstrained_names[i];
        EXPECT_LT(sds[i], epsilon < 1.0 ? 0.6 : 0.15) << table.model << epsilon;
      }
      ASSERT_TRUE(result.evidence.measured);
      const MeasurementEvidence& measured = *result.evidence.measured;
      EXPECT_NEAR(measured.records, kRows, 5.0 * measured.records_sd);
    }
  }
}

TEST(FitByMeasurements, DrawsAreChainsWithBothPartsOfTheUncertainty) {
  const FitResult result = fit_table(tables()[0], by_measurements(0.1));
  ASSERT_TRUE(result.sampled);
  EXPECT_EQ(result.draws.size(), 400u);
  EXPECT_LT(result.sampled->largest_r_hat(), 1.05);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_GT(result.sd_model[i], 0.0);
    EXPECT_GT(result.sd_privacy[i], result.sd_model[i]) << "epsilon is small";
  }
}

TEST(FitByMeasurements, ReleasesWhatItsPlanSays) {
  const FitResult result = fit_table(tables()[0], by_measurements(1.0));
  ASSERT_TRUE(result.privacy);
  const GaussianRun& run = result.privacy->plan().run;
  EXPECT_EQ(total_steps(run), 1 + kGradientReleases);
  for (const GaussianPhase& phase : run) EXPECT_EQ(phase.sampling_rate, 1.0);
  EXPECT_LE(result.privacy->plan().epsilon, 1.0);
  EXPECT_GT(result.privacy->plan().epsilon, 0.999);
  EXPECT_EQ(result.loop.posterior, "trace");
}

// A table without a usable row has the same form of result, and a status that says so.
TEST(FitByMeasurements, SaysThatThereWereNoRecords) {
  SimulatedTable table = tables()[0];
  table.csv = "a,b,y\n";
  for (int i = 0; i < kRows; ++i) table.csv += "x,x,x\n";
  const FitResult result = fit_table(table, by_measurements(3.0));
  EXPECT_EQ(result.verdict.status, FitStatus::failed);
  ASSERT_FALSE(result.verdict.reasons.empty());
  EXPECT_EQ(result.verdict.reasons[0].words, "few or no records were usable");
}

// Two components on one side of zero, in any order.
SimulatedTable mixture(unsigned seed) {
  std::mt19937_64 engine(seed);
  std::bernoulli_distribution is_low(0.4);
  std::normal_distribution<double> normal;
  std::string csv = "y\n";
  for (int i = 0; i < kRows; ++i) {
    csv += fmt::format("{}\n", (is_low(engine) ? 3.0 : 6.0) + 0.7 * normal(engine));
  }
  return {.model =
              "data { int N; vector[N] y; }\n"
              "parameters { vector[2] mu; real<lower=0> sigma; real<lower=0, upper=1> w; }\n"
              "model { mu ~ normal(0, 5); sigma ~ lognormal(0, 1); w ~ beta(2, 2);\n"
              "  for (n in 1:N) target += log_mix(w, normal_lpdf(y[n] | mu[1], sigma),\n"
              "                                   normal_lpdf(y[n] | mu[2], sigma)); }\n",
          .csv = std::move(csv),
          .truth = {},
          .schema = fmt::format("[table]\nrows = {}\n[columns.y]\nmean = 0\nsd = 5\n", kRows)};
}

// Without covariates, mock records at the true parameters are like real ones, so information does
// not correct them: it would correct the error of the first estimates instead.
TEST(FitByMeasurements, FindsComponentsAndDoesNotDoubtThem) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    const FitResult result = fit_table(mixture(seed), by_measurements(1.0));
    EXPECT_EQ(result.verdict.status, FitStatus::ok) << seed;
    const auto found = result.total.family->location(result.total.parameters);
    std::vector<double> location(found.begin(), found.end());
    const auto sds = result.total.family->standard_deviations(result.total.parameters);
    std::sort(location.begin(), location.begin() + 2);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_NEAR(location[k], k == 0 ? 3.0 : 6.0, 0.12) << seed;
      EXPECT_GT(sds[k], 0.01) << seed;
      EXPECT_LT(sds[k], 0.04) << seed;
    }
  }
}

std::string refused_measurements(const SimulatedTable& table, const FitRequest& request) {
  return error_text<UsageError>([&] { fit_table(table, request); });
}

// A table of groups: effects have mean .5 and sd 1.2, and the residuals have sd .8.
constexpr int kGroups = 12;
SimulatedTable table_of_groups(const std::string& parameters, const std::string& effects) {
  std::mt19937_64 engine(6);
  std::normal_distribution<double> normal;
  std::vector<double> means(kGroups);
  for (double& mean : means) mean = 0.5 + 1.2 * normal(engine);
  std::string csv = "g,y\n";
  for (int i = 0; i < kRows; ++i) {
    const std::size_t group = engine() % kGroups;
    csv += fmt::format("{},{}\n", group + 1, means[group] + 0.8 * normal(engine));
  }
  return {.model = fmt::format(
              "data {{ int N; array[N] int<lower=1, upper={0}> g; vector[N] y; }}\n"
              "parameters {{ real mu; real<lower=0> tau; {1}; real<lower=0> sigma; }}\n"
              "transformed parameters {{ vector[{0}] effect = {2}; }}\n"
              "model {{ mu ~ normal(0, 2); tau ~ lognormal(0, .5); sigma ~ lognormal(0, .5);\n"
              "  {3}; y ~ normal(effect[g], sigma); }}\n",
              kGroups, parameters, effects == "a" ? "a" : "mu + tau * z",
              effects == "a" ? "a ~ normal(mu, tau)" : "z ~ std_normal()"),
          .csv = std::move(csv),
          .truth = std::move(means),
          .schema = fmt::format("[table]\nrows = {}\n[columns.y]\nmean = 0\nsd = 2\n", kRows)};
}

// Effects are found in either form of the program: what is released is the same.
TEST(FitByMeasurements, FindsEffectsOfGroupsInEitherForm) {
  for (const auto& [parameters, effects] :
       {std::pair("vector[12] a", "a"), std::pair("vector[12] z", "z")}) {
    const SimulatedTable table = table_of_groups(parameters, effects);
    const FitResult result = fit_table(table, by_measurements(3.0));
    ASSERT_TRUE(result.sampled);
    EXPECT_LT(result.sampled->largest_r_hat(), 1.05);
    std::size_t first = 0;
    for (const OutputVariable& output : result.outputs) {
      if (output.name == "effect") break;
      first += static_cast<std::size_t>(output.size());
    }
    for (std::size_t j = 0; j < kGroups; ++j) {
      double mean = 0.0, square = 0.0;
      for (const std::vector<double>& draw : result.draws) mean += draw[first + j] / 400.0;
      for (const std::vector<double>& draw : result.draws) {
        square += std::pow(draw[first + j] - mean, 2) / 400.0;
      }
      EXPECT_LT(std::abs(mean - table.truth[j]), 4.0 * std::sqrt(square)) << effects << j;
      EXPECT_LT(std::sqrt(square), 0.3) << effects << j;
    }
    EXPECT_NEAR(std::log(result.at_location[1] / 1.2), 0.0, 0.8) << "tau, " << effects;
  }
}

// This prior has infinite mass where tau is 0: the effects have one dimension less than normal
// densities. Its draws must not decide where releases are made.
TEST(FitByMeasurements, FindsEffectsUnderAPriorWithInfiniteMassAtZero) {
  SimulatedTable table = table_of_groups("sum_to_zero_vector[12] a", "a");
  const std::size_t place = table.model.find("a ~ normal(mu, tau)");
  table.model.replace(place, 19, "a ~ normal(0, tau)");
  const std::size_t mean = table.model.find("effect[g]");
  table.model.replace(mean, 9, "mu + effect[g]");
  const FitResult result = fit_table(table, by_measurements(3.0));
  ASSERT_TRUE(result.sampled);
  EXPECT_NEAR(std::log(result.at_location[1] / 1.2), 0.0, 0.8);
}

SimulatedTable many_groups() {
  return {.model =
              "data { int N; array[N] int<lower=1, upper=300> g; vector[N] y; }\n"
              "parameters { vector[300] m; }\n"
              "model { m ~ normal(0, 1); y ~ normal(m[g], 1); }\n",
          .csv = "g,y\n1,1\n",
          .truth = {},
          .schema = "[table]\nrows = 4000\n[columns.g]\npublic_levels = true\n"};
}

TEST(FitByMeasurements, IsTheDefaultWhereItApplies) {
  FitRequest request = by_measurements(1.0);
  request.settings.posterior = PosteriorKind::automatic;
  const FitResult measured = fit_table(tables()[0], request);
  EXPECT_EQ(measured.loop.posterior, "trace");
  EXPECT_NE(measured.loop.posterior_reason.find("the program gives outcomes a law"),
            std::string::npos);
  EXPECT_EQ(fit_table(tables()[2], request).loop.posterior, "trace");
  const FitResult moved = fit_table(many_groups(), request);
  EXPECT_EQ(moved.loop.posterior, "variational");
  EXPECT_NE(moved.loop.posterior_reason.find("300 numbers that depend on parameters"),
            std::string::npos);
  EXPECT_EQ(total_steps(moved.privacy->plan().run), kDefaultSteps);
  EXPECT_EQ(fit_table(tables()[1], request).loop.posterior, "trace");
  request.privacy.steps = 40;
  const FitResult asked = fit_table(tables()[0], request);
  EXPECT_EQ(asked.loop.posterior, "variational");
  EXPECT_EQ(asked.loop.posterior_reason, "the settings give a number of steps");
}

// Mock values of a column whose range alone is declared may be far too large. Measurements would be
// compared with them.
TEST(FitByMeasurements, IsNotTheDefaultIfMockRecordsMayMislead) {
  FitRequest request = by_measurements(1.0);
  request.settings.posterior = PosteriorKind::automatic;
  SimulatedTable wide = tables()[0];
  wide.schema =
      "[table]\nrows = 4000\n[columns.a]\nlower = -100\nupper = 100\n"
      "[columns.b]\nmean = 0\nsd = 1\n";
  EXPECT_EQ(fit_table(wide, request).loop.posterior_reason,
            "the schema declares no sd of column 'a'");
  SimulatedTable groups = table_of_groups("vector[12] a", "a");
  EXPECT_EQ(fit_table(groups, request).loop.posterior, "trace");
  groups.schema = "[table]\nrows = 4000\n[columns.y]\nlower = -900\nupper = 900\n";
  EXPECT_EQ(fit_table(groups, request).loop.posterior_reason,
            "the schema declares no mean of column 'y'");
}

// An intercept and all effects can shift together: records tell nothing about either alone. Such
// fits used to fail, with intercepts of thousands.
TEST(FitByMeasurements, IsNotTheDefaultIfNumbersCanShiftTogether) {
  FitRequest request = by_measurements(1.0);
  request.settings.posterior = PosteriorKind::automatic;
  SimulatedTable groups = table_of_groups("vector[12] a", "a");
  const std::size_t mean = groups.model.find("effect[g]");
  groups.model.replace(mean, 9, "mu + effect[g]");
  const FitResult moved = fit_table(groups, request);
  EXPECT_EQ(moved.loop.posterior, "variational");
  EXPECT_NE(moved.loop.posterior_reason.find("can shift together"), std::string::npos);
}

// The slope of such a column once was -.01 with a standard deviation of .002.
TEST(FitByMeasurements, FailsIfRealColumnsAreFarSmallerThanMockColumns) {
  SimulatedTable wide = tables()[2];
  wide.schema =
      "[table]\nrows = 4000\n[columns.a]\nlower = -100\nupper = 100\n"
      "[columns.b]\nmean = 0\nsd = 1\n";
  const FitResult result = fit_table(wide, by_measurements(1.0));
  EXPECT_EQ(result.verdict.status, FitStatus::failed);
  const auto& reasons = result.verdict.reasons;
  EXPECT_TRUE(std::ranges::any_of(reasons, [](const StatusReason& reason) {
    return reason.words == "the releases contradict each other under this model";
  }));
}

TEST(FitByMeasurements, RefusesWhatItCannotRead) {
  EXPECT_NE(refused_measurements(many_groups(), by_measurements(1.0))
                .find("300 numbers that depend on parameters"),
            std::string::npos);
  FitRequest request = by_measurements(1.0);
  request.privacy.sampling_rate = 0.1;
  EXPECT_NE(refused_measurements(tables()[0], request).find("follow from epsilon alone"),
            std::string::npos);
  request = by_measurements(1.0);
  request.privacy.steps = 10;
  EXPECT_NE(refused_measurements(tables()[0], request).find("a multiple of 4"), std::string::npos);
}

}  // namespace
}  // namespace dpvi
