#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include <dpvi/fit/mock/mock_records.hpp>
#include <dpvi/fit/mock/outcome_simulator.hpp>
#include <tests/support/bound_program.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kDraws = 40000;
// Statistical tolerance in standard errors; seeds are fixed.
constexpr double kStandardErrors = 5.0;

const std::vector<double> kTheta{0.4, std::log(1.5)};  // alpha = 0.4, s = 1.5

std::string program(const std::string& data, const std::string& model) {
  return "data { int N; vector[N] a; " + data + " }\n" +
         "parameters { real alpha; real<lower=0> s; }\n" +
         "model { alpha ~ normal(0, 1); s ~ gamma(4, 4);\n" + model + " }\n";
}

OutcomeSimulator simulator_of(const BoundProgram& bound) {
  return OutcomeSimulator(bound.model, bound.binding);
}

OutcomeSimulator simulator_of(const std::string& text, const std::string& schema = "") {
  return simulator_of(bind_program(text, schema));
}

// Copies of one record whose predictor a is 0.5 and whose other numbers are those of the first mock
// record, with outcomes drawn at theta.
std::vector<MockRecord> drawn(const BoundProgram& bound, const OutcomeSimulator& simulator,
                              std::span<const double> theta) {
  MockRecord record = make_mock_records(bound.binding, 1, SeededGenerator(1)).front();
  record.reals[0] = 0.5;
  std::vector<MockRecord> records(kDraws, record);
  simulator.simulate(theta, records, SeededGenerator(2));
  return records;
}

struct Moments {
  double mean = 0.0;
  double variance = 0.0;
  double error_of_mean = 0.0;
  double error_of_variance = 0.0;
};

Moments moments_of(const std::vector<double>& numbers) {
  const double count = static_cast<double>(numbers.size());
  Moments moments;
  for (const double number : numbers) moments.mean += number / count;
  double fourth = 0.0;
  for (const double number : numbers) {
    const double square = std::pow(number - moments.mean, 2);
    moments.variance += square / count;
    fourth += square * square / count;
  }
  moments.error_of_mean = std::sqrt(moments.variance / count);
  moments.error_of_variance = std::sqrt((fourth - std::pow(moments.variance, 2)) / count);
  return moments;
}

struct Law {
  const char* statement;
  double mean;
  double variance;
};

void expect_law(const std::string& data, bool integer, const Law& law) {
  const BoundProgram bound = bind_program(program(data, law.statement));
  const OutcomeSimulator simulator = simulator_of(bound);
  ASSERT_TRUE(simulator.found()) << law.statement << ": " << simulator.description();
  std::vector<double> outcomes;
  for (const MockRecord& record : drawn(bound, simulator, kTheta)) {
    outcomes.push_back(integer ? record.integers.back() : record.reals.back());
  }
  const Moments moments = moments_of(outcomes);
  EXPECT_NEAR(moments.mean, law.mean, kStandardErrors * moments.error_of_mean) << law.statement;
  EXPECT_NEAR(moments.variance, law.variance, kStandardErrors * moments.error_of_variance)
      << law.statement;
}

double logistic(double x) { return 1.0 / (1.0 + std::exp(-x)); }

// The linear predictor of all programs is alpha * a = 0.2.
TEST(SimulatedOutcomes, OfRealsHaveTheirDistribution) {
  const double pi = std::acos(-1.0), gamma = std::tgamma(1.0 + 1.0 / 1.5);
  for (const Law& law : {
           Law{"y ~ normal(alpha * a, s);", 0.2, 2.25},
           Law{"for (n in 1:N) target += normal_lpdf(y[n] | alpha * a[n], s);", 0.2, 2.25},
           Law{"target += normal_lupdf(y | alpha * a, s);", 0.2, 2.25},
           Law{"y ~ normal_id_glm(to_matrix(a), 1.0, [alpha]', s);", 1.2, 2.25},
           Law{"y ~ student_t(8, alpha * a, s);", 0.2, 2.25 * 8.0 / 6.0},
           Law{"y ~ double_exponential(alpha * a, s);", 0.2, 2.0 * 2.25},
           Law{"y ~ logistic(alpha * a, s);", 0.2, 2.25 * pi * pi / 3.0},
           Law{"y ~ lognormal(alpha * a, 0.5);", std::exp(0.2 + 0.125),
               std::expm1(0.25) * std::exp(0.4 + 0.25)},
           Law{"y ~ gamma(s, exp(alpha * a));", 1.5 * std::exp(-0.2), 1.5 * std::exp(-0.4)},
           Law{"y ~ exponential(exp(alpha * a));", std::exp(-0.2), std::exp(-0.4)},
           Law{"y ~ weibull(s, exp(alpha * a));", std::exp(0.2) * gamma,
               std::exp(0.4) * (std::tgamma(1.0 + 2.0 / 1.5) - gamma * gamma)},
           Law{"y ~ beta(s, 2);", 1.5 / 3.5, 1.5 * 2.0 / (3.5 * 3.5 * 4.5)},
       }) {
    expect_law("vector[N] y;", false, law);
  }
}

TEST(SimulatedOutcomes, OfCountsHaveTheirDistribution) {
  const double p = logistic(0.2), rate = std::exp(0.2);
  for (const Law& law : {
           Law{"y ~ bernoulli_logit(alpha * a);", p, p * (1.0 - p)},
           Law{"y ~ bernoulli(inv_logit(alpha * a));", p, p * (1.0 - p)},
           Law{"y ~ bernoulli_logit_glm(to_matrix(a), 0.0, [alpha]');", p, p * (1.0 - p)},
           Law{"y ~ binomial_logit(7, alpha * a);", 7.0 * p, 7.0 * p * (1.0 - p)},
           Law{"y ~ binomial_logit_glm(7, to_matrix(a), 0, [alpha]');", 7.0 * p,
               7.0 * p * (1.0 - p)},
           Law{"y ~ poisson(exp(alpha * a));", rate, rate},
           Law{"y ~ poisson_log(alpha * a);", rate, rate},
           Law{"y ~ poisson_log_glm(to_matrix(a), 0.0, [alpha]');", rate, rate},
           Law{"y ~ neg_binomial_2_log(alpha * a, s);", rate, rate + rate * rate / 1.5},
           Law{"y ~ neg_binomial_2(exp(alpha * a), s);", rate, rate + rate * rate / 1.5},
           Law{"y ~ neg_binomial_2_log_glm(to_matrix(a), 0.0, [alpha]', s);", rate,
               rate + rate * rate / 1.5},
           Law{"y ~ beta_binomial(4, s, 2);", 4.0 * 1.5 / 3.5,
               4.0 * 1.5 * 2.0 * 7.5 / (3.5 * 3.5 * 4.5)},
       }) {
    expect_law("array[N] int<lower=0> y;", true, law);
  }
}

// Pearson's statistic of the simulated categories 1 to K.
void expect_categories(const std::string& statement, const std::vector<double>& probabilities) {
  const BoundProgram bound = bind_program(program("array[N] int<lower=1, upper=3> y;", statement));
  const OutcomeSimulator simulator = simulator_of(bound);
  ASSERT_TRUE(simulator.found()) << statement << ": " << simulator.description();
  std::map<int, double> counts;
  for (const MockRecord& record : drawn(bound, simulator, kTheta)) ++counts[record.integers[0]];
  double statistic = 0.0;
  for (std::size_t k = 0; k < probabilities.size(); ++k) {
    const double expected = kDraws * probabilities[k];
    statistic += std::pow(counts[static_cast<int>(k) + 1] - expected, 2) / expected;
  }
  EXPECT_LT(statistic, 23.0) << statement;  // two degrees of freedom: probability 1e-5
}

TEST(SimulatedOutcomes, OfCategoriesHaveTheirDistribution) {
  const double low = 1.0 - logistic(0.2 + 1.0), high = logistic(0.2 - 1.0);
  const std::vector<double> ordered{low, 1.0 - low - high, high};
  expect_categories("y ~ ordered_logistic(alpha * a, [-1, 1]');", ordered);
  expect_categories("y ~ ordered_logistic_glm(to_matrix(a), [alpha]', [-1, 1]');", ordered);
  const double total = 1.0 + std::exp(0.2) + std::exp(-0.5);
  const std::vector<double> logits{1.0 / total, std::exp(0.2) / total, std::exp(-0.5) / total};
  expect_categories("for (n in 1:N) y[n] ~ categorical_logit([0, alpha * a[n], -0.5]');", logits);
  expect_categories("y ~ categorical_logit_glm(to_matrix(a), [0, 0, -0.5]', [[0, alpha, 0]]);",
                    logits);
  expect_categories("for (n in 1:N) y[n] ~ categorical(softmax([0, alpha * a[n], -0.5]'));",
                    logits);
}

double normal_density(double x) {
  return std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::acos(-1.0));
}
double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

TEST(SimulatedOutcomes, OfMixturesHaveTheirDistribution) {
  const double mean = 0.3 * 0.4 + 0.7 * 2.0;
  const double variance = 0.3 * 0.7 * 1.6 * 1.6 + 0.3 * 2.25 + 0.7;
  for (const char* statement :
       {"for (n in 1:N) target += log_mix(0.3, normal_lpdf(y[n] | alpha, s), "
        "normal_lpdf(y[n] | 2, 1));",
        "for (n in 1:N) target += log_sum_exp(log(0.3) + normal_lpdf(y[n] | alpha, s), "
        "log(0.7) + normal_lpdf(y[n] | 2, 1));",
        "for (n in 1:N) { vector[2] p = log([0.3, 0.7]'); p[1] += normal_lpdf(y[n] | alpha, s); "
        "p[2] += normal_lpdf(y[n] | 2, 1); target += log_sum_exp(p); }"}) {
    expect_law("vector[N] y;", false, {statement, mean, variance});
  }
}

TEST(SimulatedOutcomes, AreTruncated) {
  const double lower = (0.0 - 0.2) / 1.5;
  const double hazard = normal_density(lower) / (1.0 - normal_cdf(lower));
  expect_law("vector[N] y;", false,
             {"for (n in 1:N) y[n] ~ normal(alpha * a[n], s) T[0, ];", 0.2 + 1.5 * hazard,
              2.25 * (1.0 + lower * hazard - hazard * hazard)});
}

TEST(SimulatedOutcomes, AreTruncatedByDistributionFunctions) {
  const double lower = (0.0 - 0.2) / 1.5, upper = (1.0 - 0.2) / 1.5;
  const double hazard = normal_density(lower) / (1.0 - normal_cdf(lower));
  expect_law("vector[N] y;", false,
             {"for (n in 1:N) target += normal_lpdf(y[n] | alpha * a[n], s) "
              "- normal_lccdf(0 | alpha * a[n], s);",
              0.2 + 1.5 * hazard, 2.25 * (1.0 + lower * hazard - hazard * hazard)});
  const double inside = normal_cdf(upper) - normal_cdf(lower);
  const double shift = (normal_density(lower) - normal_density(upper)) / inside;
  const double spread = (lower * normal_density(lower) - upper * normal_density(upper)) / inside;
  expect_law("vector[N] y;", false,
             {"for (n in 1:N) target += normal_lpdf(y[n] | alpha * a[n], s) "
              "- log_diff_exp(normal_lcdf(1 | alpha * a[n], s), normal_lcdf(0 | alpha * a[n], s));",
              0.2 + 1.5 * shift, 2.25 * (1.0 + spread - shift * shift)});
}

TEST(SimulatedOutcomes, MayBeTransformedBeforeTheirDensity) {
  expect_law("vector[N] y;", false,
             {"log(y) ~ normal(alpha * a, 0.5);", std::exp(0.2 + 0.125),
              std::expm1(0.25) * std::exp(0.4 + 0.25)});
  expect_law("vector[N] y;", false, {"(y - 3) / 2 ~ normal(alpha * a, s);", 3.4, 4.0 * 2.25});
  expect_law("vector[N] y;", false, {"y - alpha * a ~ normal(0, s);", 0.2, 2.25});
}

TEST(SimulatedOutcomes, MayBeZeroWithPositiveProbability) {
  const double gamma = 1.5 / 2.0, p = logistic(-0.4);
  expect_law(
      "vector<lower=0>[N] y;", false,
      {"for (n in 1:N) if (y[n] == 0) target += bernoulli_logit_lpmf(1 | alpha); else target "
       "+= bernoulli_logit_lpmf(0 | alpha) + gamma_lpdf(y[n] | s, 2);",
       p * gamma, p * (gamma / 2.0 + gamma * gamma) - p * p * gamma * gamma});
}

// The probability of zero is p + (1 - p) exp(-rate).
TEST(SimulatedOutcomes, OfZeroInflatedCountsHaveTheirDistribution) {
  const double rate = std::exp(0.2), rest = 0.7;
  expect_law("array[N] int<lower=0> y;", true,
             {"for (n in 1:N) { if (y[n] == 0) target += log_sum_exp(log(0.3), log(0.7) + "
              "poisson_log_lpmf(0 | alpha * a[n])); else target += log(0.7) + "
              "poisson_log_lpmf(y[n] | alpha * a[n]); }",
              rest * rate, rest * (rate + rate * rate) - rest * rest * rate * rate});
}

// The outcome is min(T, 1) for an exponential T.
TEST(SimulatedOutcomes, AreCensoredAtKnownLimits) {
  const double rate = std::exp(0.2);
  const double mean = -std::expm1(-rate) / rate;
  const double square = 2.0 / rate * (mean - std::exp(-rate));
  expect_law("vector<lower=0>[N] y;", false,
             {"for (n in 1:N) if (y[n] < 1) y[n] ~ exponential(exp(alpha * a[n])); "
              "else target += exponential_lccdf(1 | exp(alpha * a[n]));",
              mean, square - mean * mean});
  const BoundProgram bound = bind_program(
      program("vector<lower=0>[N] t; vector<lower=0>[N] limit; array[N] int<lower=0, upper=1> e;",
              "for (n in 1:N) if (e[n] == 1) target += weibull_lpdf(t[n] | s, exp(alpha * a[n])); "
              "else target += weibull_lccdf(limit[n] | s, exp(alpha * a[n]));"));
  const OutcomeSimulator simulator = simulator_of(bound);
  ASSERT_TRUE(simulator.found()) << simulator.description();
  EXPECT_EQ(simulator.outcomes(), (std::vector<std::string>{"t", "e"}));
  std::size_t censored = 0;
  for (const MockRecord& record : drawn(bound, simulator, kTheta)) {
    EXPECT_EQ(record.integers[0], record.reals[1] < record.reals[2] ? 1 : 0);
    censored += record.integers[0] == 0 ? 1 : 0;
  }
  EXPECT_GT(censored, 0u);
  EXPECT_LT(censored, kDraws);
}

TEST(SimulatedOutcomes, AreDrawnInTheOrderInWhichTheyDepend) {
  const BoundProgram bound = bind_program(
      program("vector[N] y; vector[N] z;", "y ~ normal(2 * z, 0.1); z ~ normal(alpha, s);"));
  const OutcomeSimulator simulator = simulator_of(bound);
  ASSERT_TRUE(simulator.found()) << simulator.description();
  double squares = 0.0;
  for (const MockRecord& record : drawn(bound, simulator, kTheta)) {
    squares += std::pow(record.reals[1] - 2.0 * record.reals[2], 2) / kDraws;
  }
  EXPECT_NEAR(squares, 0.01, kStandardErrors * 0.01 * std::sqrt(2.0 / kDraws));
}

TEST(SimulatedOutcomes, OfSeveralNumbersAreDrawnTogether) {
  const BoundProgram bound = bind_program(program(
      "array[N] vector[2] y;",
      "for (n in 1:N) y[n] ~ multi_normal([alpha, a[n]]', [[1, 0.8], [0.8, 1]] * square(s));"));
  const OutcomeSimulator simulator = simulator_of(bound);
  ASSERT_TRUE(simulator.found()) << simulator.description();
  double covariance = 0.0;
  for (const MockRecord& record : drawn(bound, simulator, kTheta)) {
    covariance += (record.reals[1] - 0.4) * (record.reals[2] - 0.5) / kDraws;
  }
  EXPECT_NEAR(covariance, 0.8 * 2.25, kStandardErrors * 2.25 * std::sqrt(1.64 / kDraws));
}

TEST(SimulatedOutcomes, StayInsideDeclaredBounds) {
  const BoundProgram bound =
      bind_program(program("vector<lower=0>[N] y;", "y ~ normal(alpha * a, s);"));
  const OutcomeSimulator simulator = simulator_of(bound);
  ASSERT_TRUE(simulator.found()) << simulator.description();
  for (const MockRecord& record : drawn(bound, simulator, kTheta)) EXPECT_GE(record.reals[1], 0.0);
}

TEST(SimulatedOutcomes, DependOnTheGenerator) {
  const BoundProgram bound = bind_program(kMeanProgram);
  const OutcomeSimulator simulator = simulator_of(bound);
  const std::vector<MockRecord> mock = make_mock_records(bound.binding, 40, SeededGenerator(1));
  const auto outcomes = [&](std::uint64_t seed) {
    std::vector<MockRecord> records = mock;
    simulator.simulate(std::vector{0.3}, records, SeededGenerator(seed));
    std::vector<double> list;
    for (const MockRecord& record : records) list.push_back(record.reals[0]);
    return list;
  };
  EXPECT_EQ(outcomes(1), outcomes(1));
  EXPECT_NE(outcomes(1), outcomes(2));
}

TEST(OutcomeLaw, IsRefusedWithAReason) {
  for (const auto& [model, reason] : std::map<std::string, std::string>{
           {"y ~ normal(alpha, s); target += 0.5 * y * alpha;", "is not the density of an outcome"},
           {"y ~ normal(alpha, s); target += a * alpha;", "is not the density of an outcome"},
           {"y ~ normal(alpha, s); y ~ normal(0, 1);", "an outcome has two densities"},
           {"y ~ normal(alpha * y, s);", "depends on the outcome itself"},
           {"target += -normal_lpdf(y | alpha, s);", "a density"},
           {"target += s * normal_lpdf(y | alpha, s);", "depends on parameters"},
           {"(y - alpha) / s ~ std_normal();", "mean gradient"},
           {"target += -square(y - alpha);", "is not the density of an outcome"},
           {"alpha ~ normal(a, s);", "is not the density of an outcome"}}) {
    const OutcomeSimulator simulator = simulator_of(program("vector[N] y;", model));
    EXPECT_FALSE(simulator.found()) << model;
    EXPECT_NE(simulator.description().find(reason), std::string::npos)
        << model << ": " << simulator.description();
  }
}

// The weights of the mixture sum to 0.3 + s.
TEST(OutcomeLaw, IsRefusedIfTheMeanGradientIsNotZero) {
  const OutcomeSimulator simulator = simulator_of(
      program("vector[N] y;",
              "for (n in 1:N) target += log_sum_exp(log(0.3) + normal_lpdf(y[n] | alpha, 1)"
              ", log(s) + normal_lpdf(y[n] | 2, 1));"));
  EXPECT_FALSE(simulator.found());
  EXPECT_NE(simulator.description().find("mean gradient"), std::string::npos)
      << simulator.description();
}

TEST(OutcomeLaw, NeedsTheCensoringLimit) {
  const OutcomeSimulator simulator = simulator_of(
      program("vector<lower=0>[N] t; array[N] int<lower=0, upper=1> e;",
              "for (n in 1:N) if (e[n] == 1) target += weibull_lpdf(t[n] | s, exp(alpha * a[n])); "
              "else target += weibull_lccdf(t[n] | s, exp(alpha * a[n]));"));
  EXPECT_FALSE(simulator.found());
  EXPECT_NE(simulator.description().find("censoring limit"), std::string::npos)
      << simulator.description();
}

// A record's weight does not change the law of its outcome.
TEST(OutcomeLaw, MayHaveWeights) {
  const OutcomeSimulator simulator = simulator_of(
      program("vector[N] y;", "for (n in 1:N) target += a[n] * normal_lpdf(y[n] | alpha, s);"));
  EXPECT_TRUE(simulator.found()) << simulator.description();
}

// At some points of the check, all simulated outcomes are 0.
TEST(OutcomeLaw, OfARareOutcomeIsFound) {
  const OutcomeSimulator simulator = simulator_of(
      program("array[N] int<lower=0, upper=1> y;", "y ~ bernoulli_logit(-8 + alpha + s * a);"));
  EXPECT_TRUE(simulator.found()) << simulator.description();
}

}  // namespace
}  // namespace dpvi
