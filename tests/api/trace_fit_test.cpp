#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
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

std::string refusal(const SimulatedTable& table, const FitRequest& request) {
  return error_text<UsageError>([&] { fit_table(table, request); });
}

TEST(FitByMeasurements, RefusesWhatItCannotRead) {
  const SimulatedTable groups{.model =
                                  "data { int N; array[N] int<lower=1, upper=9> g; vector[N] y; }\n"
                                  "parameters { vector[9] m; }\n"
                                  "model { m ~ normal(0, 1); y ~ normal(m[g], 1); }\n",
                              .csv = "g,y\n1,1\n",
                              .truth = {},
                              .schema = "[table]\nrows = 4000\n"};
  EXPECT_NE(refusal(groups, by_measurements(1.0)).find("few records use m.1, as in a hierarchy"),
            std::string::npos);
  FitRequest request = by_measurements(1.0);
  request.privacy.sampling_rate = 0.1;
  EXPECT_NE(refusal(tables()[0], request).find("follow from epsilon alone"), std::string::npos);
  request = by_measurements(1.0);
  request.privacy.steps = 10;
  EXPECT_NE(refusal(tables()[0], request).find("a multiple of 4"), std::string::npos);
}

}  // namespace
}  // namespace dpvi
