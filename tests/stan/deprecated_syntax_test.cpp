#include <cmath>

#include "model_reading.hpp"

// Programs written for older versions of Stan keep their meaning: each is compared with the same
// program in current syntax.
namespace dpvi {
namespace {

std::vector<double> values_of(const std::string& text, const std::vector<double>& theta) {
  ReadModel read(text);
  const StanModel model = read.build();
  EXPECT_TRUE(read.factorises().value_or(false)) << text;
  std::vector<double> values{reference_values(*model.graph, model.prior, theta).at(0)};
  const std::vector<std::vector<double>> reals = {{0.7}, {2.4}, {0.05}};
  const std::vector<std::vector<std::int32_t>> ints = {{0, 3}, {2, 3}, {1, 1}};
  for (std::size_t i = 0; i < reals.size(); ++i) {
    values.push_back(
        reference_values(*model.graph, model.record, theta, {reals[i], ints[i]}).at(0));
  }
  return values;
}

void expect_same(const std::string& old_text, const std::string& text) {
  const std::vector<double> theta = {0.4, -0.3};
  const std::vector<double> expected = values_of(text, theta);
  for (const double value : expected) EXPECT_TRUE(std::isfinite(value)) << text;
  EXPECT_EQ(values_of(old_text, theta), expected) << old_text;
}

const std::string kOldHead =
    "data { int<lower=0> N; real<lower=0> wait[N]; int<lower=0> k[N]; int<lower=0> m[N]; } # old\n"
    "parameters { real a; real<lower=0> b; }\n";
const std::string kHead =
    "data { int<lower=0> N; array[N] real<lower=0> wait; array[N] int<lower=0> k; array[N] "
    "int<lower=0> m; }\n"
    "parameters { real a; real<lower=0> b; }\n";

TEST(OldSpelling, ArrowAssigns) {
  expect_same(kOldHead +
                  "transformed parameters { real r; r <- exp(a) / b; }\n"
                  "model { real s[2]; s[1] <-a; s[2]<-r; a ~ normal(0, 2);\n"
                  "  for (n in 1:N) { real e; e <- s[1] + s[2]; wait[n] ~ lognormal(e, b); } }",
              kHead +
                  "transformed parameters { real r; r = exp(a) / b; }\n"
                  "model { array[2] real s; s[1] = a; s[2] = r; a ~ normal(0, 2);\n"
                  "  for (n in 1:N) { real e; e = s[1] + s[2]; wait[n] ~ lognormal(e, b); } }");
}

// Current Stan reads a<-b as a < -b wherever an assignment cannot occur.
TEST(OldSpelling, ArrowInsideAnExpressionIsLessThanMinus) {
  const std::string rest = " target += a; wait[n] ~ normal(w, b); } }";
  expect_same(
      kHead + "model { for (n in 1:N) { real w = wait[n]<-a + 2 ? a : b; if (a<-b)" + rest,
      kHead + "model { for (n in 1:N) { real w = wait[n] < (-a + 2) ? a : b; if (a < -b)" + rest);
  expect_same(kHead + "model { k ~ poisson(b); (a<-b) ~ bernoulli(0.3); }",
              kHead + "model { k ~ poisson(b); (a < -b) ~ bernoulli(0.3); }");
}

TEST(OldSpelling, TheLogDensityIsIncremented) {
  expect_same(kOldHead +
                  "model { increment_log_prob(-square(a) * 2);\n"
                  "  lp__ <- lp__ - b; lp__ = lp__ + a + b; lp__ += 3;\n"
                  "  for (n in 1:N) increment_log_prob(-wait[n] * b + log(b)); }",
              kHead +
                  "model { target += -square(a) * 2;\n"
                  "  target += -b; target += a + b; target += 3;\n"
                  "  for (n in 1:N) target += -wait[n] * b + log(b); }");
}

TEST(OldSpelling, DensityFunctionsEndInLog) {
  expect_same(
      kOldHead +
          "model { real l; l <- normal_log(a, 0, 3) + gamma_log(b, 2, 1); increment_log_prob(l);\n"
          "  for (n in 1:N) { increment_log_prob(binomial_log(k[n], m[n], inv_logit(a)));\n"
          "    increment_log_prob(poisson_log(k[n], b) + poisson_log_log(k[n], a));\n"
          "    increment_log_prob(neg_binomial_2_log(k[n], b, 2) + binomial_coefficient_log(m[n], "
          "k[n]));\n"
          "    increment_log_prob(bernoulli_logit_log(k[n] > 0, a) + multiply_log(b, wait[n]));\n"
          "    increment_log_prob(weibull_ccdf_log(wait[n], b, 2) + gamma_cdf_log(wait[n], 2, "
          "b));\n"
          "    increment_log_prob(log(exponential_cdf(wait[n], b))); } }",
      kHead +
          "model { real l = normal_lpdf(a | 0, 3) + gamma_lpdf(b | 2, 1); target += l;\n"
          "  for (n in 1:N) { target += binomial_lpmf(k[n] | m[n], inv_logit(a));\n"
          "    target += poisson_lpmf(k[n] | b) + poisson_log_lpmf(k[n] | a);\n"
          "    target += neg_binomial_2_lpmf(k[n] | b, 2) + lchoose(m[n], k[n]);\n"
          "    target += bernoulli_logit_lpmf(k[n] > 0 | a) + lmultiply(b, wait[n]);\n"
          "    target += weibull_lccdf(wait[n] | b, 2) + gamma_lcdf(wait[n] | 2, b);\n"
          "    target += log(exponential_cdf(wait[n] | b)); } }");
}

TEST(OldSpelling, OwnDensitiesEndInLog) {
  expect_same(
      "functions { real bent_log(real y, real a, real b) { return -b * fabs(y - a) + log(b); }\n"
      "  real shift(real[] v, int[] w) { return v[1] + w[1]; }\n"
      "  void both_lp(real y, real a) { increment_log_prob(cauchy_log(y, a, 1)); y ~ normal(a, 2); "
      "} }\n" +
          kOldHead +
          "model { a ~ bent(0, 1); increment_log_prob(bent_log(a, 1, b));\n"
          "  for (n in 1:N) { wait[n] ~ bent(a, b); both_lp(wait[n], b); } }",
      "functions { real bent_lpdf(real y, real a, real b) { return -b * abs(y - a) + log(b); }\n"
      "  void both_lp(real y, real a) { target += cauchy_lpdf(y | a, 1); y ~ normal(a, 2); } }\n" +
          kHead +
          "model { a ~ bent(0, 1); target += bent_lpdf(a | 1, b);\n"
          "  for (n in 1:N) { wait[n] ~ bent(a, b); both_lp(wait[n], b); } }");
}

// Only user-defined densities take the old suffix; they never hide a built-in one.
TEST(OldSpelling, OwnFunctionsKeepTheirNames) {
  expect_same(
      "functions { real normal_log(real y, real a, real b) { return 5 * y; }\n"
      "  real if_else(real a) { return a + 7; } real get_lp() { return 2; } }\n" +
          kHead +
          "model { wait ~ normal(a, b); target += normal_log(a, 0, 1) + if_else(b) + get_lp(); }",
      kHead + "model { wait ~ normal(a, b); target += 5 * a + b + 7 + 2; }");
}

TEST(OldSpelling, FunctionsThatWereReplaced) {
  expect_same(
      kOldHead +
          "model { matrix[2, 2] c; real t; real at[2]; at[1] <- 0.3; at[2] <- 1.1;\n"
          "  a ~ normal(0, 1); t <- get_lp(); c <- cov_exp_quad(at, b, 0.8); "
          "increment_log_prob(c[1, 2] + t);\n"
          "  for (n in 1:N) wait[n] ~ normal(if_else(k[n] > 1, a, a + b), if_else(a > 0, b, 2)); }",
      kHead +
          "model { array[2] real at = {0.3, 1.1}; a ~ normal(0, 1); real t = target();\n"
          "  matrix[2, 2] c = gp_exp_quad_cov(at, b, 0.8); target += c[1, 2] + t;\n"
          "  for (n in 1:N) wait[n] ~ normal(k[n] > 1 ? a : a + b, a > 0 ? b : 2); }");
}

TEST(OldSpelling, OtherMeaningsAreRefused) {
  EXPECT_EQ(first_error(kOldHead + "model { lp__ <- a; }"),
            "3:9 lp__ can only be added to. Write 'target += ...;' with what is added to it.");
  EXPECT_EQ(first_error(kOldHead + "model { a + 1 <- 2; }"),
            "3:11 Only a variable or a part of one can be assigned to.");
  EXPECT_EQ(first_error(kOldHead + "model { increment_log_prob a; }"),
            "3:28 Expected '(' before what the log density is incremented by, found 'a'.");
  EXPECT_EQ(first_error(kOldHead + "model { real s = odd_log(a, b); }"),
            "3:18 'odd_log' cannot be used. In older versions of Stan, a function ending in _log "
            "belonged to a distribution. No distribution is called 'odd'.");
  EXPECT_EQ(first_error(kOldHead + "model { real s = if_else(a); }"),
            "3:18 'if_else' cannot be used. Write 'condition ? a : b'.");
}

}  // namespace
}  // namespace dpvi
