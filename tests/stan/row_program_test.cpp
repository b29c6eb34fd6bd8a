#include <dpvi/stan/facts/outcome_variables.hpp>
#include <dpvi/stan/run/row_program.hpp>

#include "model_reading.hpp"

namespace dpvi {
namespace {

RowProgram rows_of(const std::string& text, StanModelOptions options = {}) {
  ReadModel read(text, std::move(options));
  throw_if_errors(read.checked.findings, read.checked.source);
  return build_row_program(read.checked, read.data, stan_functions(), read.options);
}

std::string refusal(const RowProgram& program, const std::string& name) {
  return program.find(name)->refusal;
}

constexpr const char* kHead = R"(
data { int<lower=0> N; int K; matrix[N, K] x; vector[N] t; array[N] int<lower=0, upper=1> y; }
parameters { real a; vector[K] b; real<lower=0> s; }
transformed parameters { vector[N] mu = a + x * b; }
model { b ~ normal(0, 1); y ~ bernoulli_logit(mu); }
)";

RowProgram rows_with(const std::string& quantities) {
  std::string text = kHead;
  text += quantities;
  return rows_of(text, {.known = {{"K", known_scalar(2)}}});
}

TEST(RowProgram, QuantitiesLoseTheIndexThatCountsRecords) {
  const RowProgram program = rows_with(R"(
generated quantities {
  real odds = exp(a);
  vector[N] p = inv_logit(mu);
  matrix[N, K] parts;
  array[N, 2] vector[3] deep;
  for (n in 1:N) {
    parts[n] = x[n] .* b';
    for (i in 1:2) for (j in 1:3) deep[n, i][j] = 10 * i + j + t[n];
  }
})");
  EXPECT_EQ(program.find("odds"), nullptr);
  EXPECT_FALSE(program.find("mu")->generated);
  EXPECT_EQ(program.find("p")->entry_names, (std::vector<std::string>{"p"}));
  EXPECT_EQ(program.find("parts")->entry_names, (std::vector<std::string>{"parts[1]", "parts[2]"}));
  EXPECT_EQ(program.find("deep")->entry_names,
            (std::vector<std::string>{"deep[1,1]", "deep[2,1]", "deep[1,2]", "deep[2,2]",
                                      "deep[1,3]", "deep[2,3]"}));
  const std::vector<double> values =
      reference_values(*program.graph, program.find("deep")->entries[4],
                       std::vector<double>{0, 0, 0, 0}, {std::vector<double>{1, 1, 0.5}, {}});
  EXPECT_EQ(values, (std::vector<double>{13.5}));
}

TEST(RowProgram, AQuantityReadsTheVariablesThatCanReachIt) {
  const RowProgram program = rows_with(R"(
generated quantities {
  vector[N] p = inv_logit(mu);
  array[N] int y_rep;
  vector[N] log_lik;
  for (n in 1:N) {
    y_rep[n] = bernoulli_rng(p[n]);
    log_lik[n] = bernoulli_logit_lpmf(y[n] | mu[n]);
  }
})");
  using Names = std::vector<std::string>;
  EXPECT_EQ(program.find("p")->reads, (Names{"x"}));
  EXPECT_EQ(program.find("y_rep")->reads, (Names{"x"}));
  EXPECT_EQ(program.find("log_lik")->reads, (Names{"x", "y"}));
  EXPECT_FALSE(program.find("p")->draws);
  EXPECT_TRUE(program.find("y_rep")->draws);
}

TEST(RowProgram, QuantitiesThatCombineRowsAreRefused) {
  const RowProgram program = rows_with(R"(
generated quantities {
  real total = sum(mu);
  vector[N] share = mu / N;
  vector[N] walk;
  vector[N] noise;
  vector[N] shared;
  vector[N] fine = mu + 1;
  array[N] int y_rep = bernoulli_logit_rng(mu);
  for (n in 1:N) walk[n] = n == 1 ? t[n] : walk[n - 1] + t[n];
  for (n in 1:N) noise[n] = normal_rng(mu[n], s);
  for (n in 1:N) shared[n] = normal_rng(mu[1], s);
})");
  EXPECT_NE(refusal(program, "total").find("not its first size"), std::string::npos);
  // A condition on a row's position ends the statement that would assign `walk`.
  EXPECT_NE(refusal(program, "walk").find("for a row alone"), std::string::npos);
  for (const char* name : {"share", "shared"}) {
    EXPECT_NE(refusal(program, name).find("combines rows"), std::string::npos)
        << name << ": " << refusal(program, name);
  }
  for (const char* name : {"fine", "noise", "y_rep", "mu"}) EXPECT_EQ(refusal(program, name), "");
}

TEST(RowProgram, QuantitiesWithoutAValueAreRefused) {
  const RowProgram program = rows_with(R"(
generated quantities {
  vector[N] unset;
  vector[N] half;
  if (s < 0) half = mu;
})");
  EXPECT_NE(refusal(program, "unset"), "");
}

std::vector<std::string> outcomes_of(const std::string& model) {
  ReadModel read(
      "data { int N; vector[N] x; vector[N] y; array[N] int g; array[N] int c; }\n"
      "parameters { real a; vector[3] e; real<lower=0> s; }\n"
      "model {\n" +
      model + "\n}");
  throw_if_errors(read.checked.findings, read.checked.source);
  return outcome_variables(read.checked.program, read.data);
}

TEST(OutcomeVariables, AreLeftOfTildeOrBeforeTheBar) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(outcomes_of("a ~ normal(0, 1); y ~ normal(a + x, s);"), (Names{"y"}));
  EXPECT_EQ(outcomes_of("for (n in 1:N) y[n] ~ normal(e[g[n]], s);"), (Names{"y"}));
  EXPECT_EQ(outcomes_of("target += normal_lpdf(y | x * a, s);"), (Names{"y"}));
  EXPECT_EQ(outcomes_of("for (n in 1:N) if (c[n]) target += weibull_lpdf(y[n] | s, exp(x[n]));\n"
                        "else target += weibull_lccdf(y[n] | s, exp(x[n]));"),
            (Names{"y"}));
  EXPECT_EQ(outcomes_of("for (n in 1:N) target += log_mix(.3, normal_lpdf(y[n] | a, s),\n"
                        "                                 normal_lpdf(y[n] | x[n], s));"),
            (Names{"y"}));
  EXPECT_EQ(outcomes_of("for (n in 1:N) { real v = y[n] - x[n]; v ~ normal(a, s); }"),
            (Names{"x", "y"}));
  EXPECT_EQ(outcomes_of("target += -s * dot_self(y - x);"), (Names{}));
}

}  // namespace
}  // namespace dpvi
