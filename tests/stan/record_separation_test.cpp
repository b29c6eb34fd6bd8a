// Programs that combine records only at rare values, which no mock record reveals, and programs
// that only appear to combine records.
#include "model_reading.hpp"

namespace dpvi {
namespace {

std::string program(const std::string& statements) {
  return "data { int<lower=0> N; vector[N] y; vector[N] x; array[N] int k;\n"
         "  array[N] int<lower=1, upper=3> g; }\n"
         "parameters { real mu; real<lower=0> s; vector[3] b; }\n"
         "model {\n" +
         statements + "\n}";
}

class JoinedByRareValues : public testing::TestWithParam<const char*> {};

TEST_P(JoinedByRareValues, IsRefused) {
  EXPECT_NE(first_error(program(GetParam())).find("record"), std::string::npos) << GetParam();
  EXPECT_EQ(first_error(program(GetParam())).substr(0, 2), "5:") << GetParam();
}

INSTANTIATE_TEST_SUITE_P(
    Statements, JoinedByRareValues,
    testing::Values(
        // Counts, totals and extremes that take effect above a threshold.
        "int c = 0; for (n in 1:N) c += y[n] > 1e5; if (c > 3) target += -mu^2; y ~ normal(mu, s);",
        "real a = 0; for (n in 1:N) { a += y[n] > 1e5; y[n] ~ normal(mu, s); } target += a * a * "
        "mu;",
        "real a = 0; for (n in 1:N) a = fmax(a, y[n] - 1e5); target += a * mu; y ~ normal(mu, s);",
        "y ~ normal(mu, s); target += cumulative_sum(y)[N] > 1e7 ? mu : 0;",
        // A record reads another one, with an effect too small for any test to detect.
        "for (n in 1:N) { if (k[n] == k[1]) target += x[n] * mu * 1e-9; y[n] ~ normal(mu, s); }",
        // A record decides whether the next one is read.
        "int n = 1; while (n <= N) { y[n] ~ normal(mu, s); n += k[n] > 5000 ? 2 : 1; }",
        // Products whose factors each depend on another record.
        "target += -sum(y) * sum(x) * mu * 1e-12; y ~ normal(mu, s);",
        "target += 1e-12 * mu * dot_product(y, reverse(x)); y ~ normal(mu, s);"));

TEST(Joined, WhatNoTestCanShowIsAWarning) {
  ReadModel read(
      "data { int N; vector[N] y; } parameters { real mu; } model {\n"
      "for (n in 1:N) target += rank(y, n) > 1e6 ? mu : normal_lpdf(y[n] | mu, 1);\n"
      "}");
  EXPECT_EQ(read.factorises(), true);
  ASSERT_EQ(read.checked.findings.list().size(), 1U);
  const Finding& finding = read.checked.findings.list()[0];
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_EQ(finding.spot.line, 2U);
  EXPECT_NE(finding.message.find("may combine"), std::string::npos);
}

class Apart : public testing::TestWithParam<const char*> {};

TEST_P(Apart, IsAcceptedWithoutAWord) {
  ReadModel read(program(GetParam()));
  EXPECT_EQ(read.factorises(), true) << GetParam();
  EXPECT_TRUE(read.checked.findings.list().empty()) << GetParam();
}

INSTANTIATE_TEST_SUITE_P(
    Sums, Apart,
    testing::Values(
        "y ~ normal(mu + b[1] * x, s);",
        "target += -N * log(s) - 0.5 * dot_self(y - mu) / square(s);",
        "target += -0.5 * (y - mu)' * (y - mu) / s^2 - N * log(s);",
        "vector[N] lp; for (n in 1:N) lp[n] = normal_lpdf(y[n] | mu, s); target += sum(lp);",
        // Totals by group that enter the target unchanged.
        "vector[3] by_group = rep_vector(0, 3);\n"
        "for (n in 1:N) by_group[g[n]] += normal_lpdf(y[n] | b[g[n]], s);\n"
        "target += sum(by_group);",
        "real lp = 0; for (n in 1:N) { if (k[n] > 2) lp += normal_lpdf(y[n] | mu, s);\n"
        "else lp += normal_lpdf(x[n] | mu, s); } target += lp;",
        // A record with a value outside the support contributes nothing, without affecting other
        // records.
        "fabs(y) ~ exponential(s); fabs(y) ~ uniform(0, 1e3 + s); y ~ lognormal(mu, s);",
        "g ~ binomial(k, inv_logit(mu)); g ~ poisson(s); g ~ neg_binomial_2(s, exp(x));\n"
        "g ~ categorical(softmax(b)); g ~ beta_binomial(k, s, s); k ~ poisson_log(mu + x);\n"
        "g ~ ordered_logistic(mu * x, [0, 1]'); k ~ bernoulli_logit(mu * x);",
        "for (n in 1:N) { if (y[n] > 1e6) reject(\"too large\"); y[n] ~ normal(mu, s); }",
        // Columns are multiplied record by record.
        "matrix[N, 2] X = append_col(y, x);\n"
        "target += -0.5 * quad_form(crossprod(X), b[1:2]) + b[1:2]' * (X' * y) - N * log(s);",
        "target += log_sum_exp(mu, s) * N + log_mix(0.3, mu, s); y ~ cauchy(mu, s);"));

}  // namespace
}  // namespace dpvi
