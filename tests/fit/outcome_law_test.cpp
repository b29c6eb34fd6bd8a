#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include <dpvi/fit/mock/outcome_law.hpp>
#include <tests/support/bound_program.hpp>

namespace dpvi {
namespace {

OutcomeLaw law_of(const std::string& program, const std::string& schema = "") {
  const BoundProgram bound = bind_program(program, schema);
  return find_outcome_law(bound.model, bound.binding);
}

std::string program(const std::string& data, const std::string& model) {
  return "data { int N; vector[N] a; " + data + " }\nparameters { real alpha; real beta; }\n" +
         "model { alpha ~ normal(0, 5); beta ~ normal(0, 5);\n" + model + " }\n";
}

constexpr const char* kBinary = "array[N] int<lower=0, upper=1> y;";

TEST(OutcomeLaws, OfFewValuesAreFound) {
  const OutcomeLaw binary = law_of(kLogisticProgram);
  ASSERT_TRUE(binary.columns);
  EXPECT_EQ(binary.columns->others(), 1u);
  EXPECT_EQ(binary.description, "the program gives y a distribution over 0 to 1");
  for (const char* model :
       {"y ~ bernoulli(Phi(alpha + beta * a));", "target += bernoulli_logit_lpmf(y | alpha * a);",
        "for (n in 1:N) target += bernoulli_logit_lpmf(y[n] | alpha + beta * a[n]);",
        "y ~ bernoulli_logit_glm(to_matrix(a), alpha, [beta]');"}) {
    EXPECT_TRUE(law_of(program(kBinary, model)).columns) << model;
  }
}

TEST(OutcomeLaws, OfSeveralValuesAreFound) {
  const OutcomeLaw ordinal = law_of(R"(
data { int N; vector[N] a; array[N] int<lower=1, upper=4> y; }
parameters { real beta; ordered[3] c; }
model { beta ~ normal(0, 1); c ~ normal(0, 2); y ~ ordered_logistic(beta * a, c); }
)");
  ASSERT_TRUE(ordinal.columns) << ordinal.description;
  EXPECT_EQ(ordinal.columns->others(), 3u);
  EXPECT_TRUE(law_of(program("array[N] int<lower=0, upper=5> y;",
                             "y ~ binomial_logit(5, alpha + beta * a);"))
                  .columns);
}

// The bounds are declared, so they may be absurd.
TEST(OutcomeLaws, ValuesTooLargeForAnIntegerAreNotUsed) {
  for (const char* bounds :
       {"lower=2147483646, upper=2147483647", "lower=-2147483647, upper=-2147483646"}) {
    const std::string data = "array[N] int<" + std::string(bounds) + "> y;";
    const OutcomeLaw law = law_of(program(data, "y ~ bernoulli_logit(alpha + beta * a);"));
    EXPECT_FALSE(law.columns) << bounds;
  }
}

// Each row has its own number of trials; larger outcomes have probability zero.
TEST(OutcomeLaws, MayHaveValuesThatAreImpossibleForSomeRecords) {
  EXPECT_TRUE(law_of(program("array[N] int<lower=1, upper=4> n; array[N] int<lower=0, upper=4> y;",
                             "y ~ binomial_logit(n, alpha + beta * a);"))
                  .columns);
}

TEST(OutcomeLaws, LevelsOfACategoryAreValues) {
  const OutcomeLaw law = law_of(R"(
data { int N; array[N] int<lower=1> y; }
parameters { simplex[3] p; }
model { y ~ categorical(p); }
)",
                                "[columns.y]\nlevels = [\"a\", \"b\", \"c\"]\n");
  ASSERT_TRUE(law.columns) << law.description;
  EXPECT_EQ(law.columns->others(), 2u);
}

// Densities that are no distribution of the outcome given the rest of the record: a weight, another
// term with the parameters, a support beyond the declared values, and a model of a covariate.
// Laws with many values, real outcomes and several outcomes are simulated.
TEST(OutcomeLaws, OtherLawsAreSimulated) {
  for (const char* model :
       {"y ~ poisson_log(alpha + beta * a);", "y ~ neg_binomial_2_log(alpha + beta * a, 2);",
        "y ~ binomial_logit(1000, alpha + beta * a);"}) {
    const BoundProgram bound = bind_program(program("array[N] int<lower=0> y;", model));
    const OutcomeLaw law = find_any_outcome_law(bound.model, bound.binding);
    EXPECT_FALSE(law.columns);
    EXPECT_NE(law.simulator, nullptr) << model << law.description;
  }
  for (const char* model :
       {"y ~ normal(alpha + beta * a, 1);", "y ~ student_t(4, alpha, exp(beta));",
        "a ~ normal(alpha, 1); y ~ normal(beta * a, 1);"}) {
    const BoundProgram bound = bind_program(program("vector[N] y;", model));
    const OutcomeLaw law = find_any_outcome_law(bound.model, bound.binding);
    EXPECT_NE(law.simulator, nullptr) << model << law.description;
  }
  const BoundProgram none =
      bind_program(program("vector[N] y;", "target += -abs(y - alpha - beta * a);"));
  const OutcomeLaw law = find_any_outcome_law(none.model, none.binding);
  EXPECT_FALSE(law.found());
  EXPECT_FALSE(law.description.empty());
}

TEST(OutcomeLaws, ThatAreNotNormalisedAreRefused) {
  const std::string refusal =
      "the density of y is not that of a distribution over 0 to 1, given the rest of the record";
  for (const char* model : {"target += 2 * bernoulli_logit_lpmf(y | alpha + beta * a);",
                            "y ~ bernoulli_logit(alpha); target += -square(a - beta);",
                            "y ~ poisson_log(alpha + beta * a);"}) {
    const OutcomeLaw law = law_of(program(kBinary, model));
    EXPECT_FALSE(law.columns) << model;
    EXPECT_EQ(law.description, refusal) << model;
  }
  const OutcomeLaw joint =
      law_of(program(kBinary, "y ~ bernoulli_logit(alpha); a ~ normal(beta, 1);"));
  EXPECT_FALSE(joint.columns);
  EXPECT_EQ(joint.description, "the outcomes a, y are several variables");
}

TEST(OutcomeLaws, ThatClippingCannotUseAreNamed) {
  EXPECT_EQ(law_of(kMeanProgram).description, "the outcome y is not one integer");
  EXPECT_EQ(
      law_of(program("array[N] int<lower=0> y;", "y ~ poisson_log(alpha + beta * a);")).description,
      "the outcome y has no declared bounds with at most 16 values");
  EXPECT_EQ(law_of(program(kBinary, "target += -square(alpha - a) + beta * 0;")).description,
            "the program gives no column a distribution");
  EXPECT_EQ(law_of(kLogisticProgram, "[table]\nunit = \"id\"\nmax_rows_per_unit = 3\n").description,
            "records have several rows");
}

// With log odds -3, outcome 1 is the unlikely one and has the longer gradient.
TEST(OutcomeLaws, LongestGradientsAreThoseOfTheWorseOutcome) {
  const BoundProgram bound = bind_program(kLogisticProgram);
  const OutcomeLaw law = find_outcome_law(bound.model, bound.binding);
  const std::vector<double> theta = {-3.0, 0.0, 0.0};
  const OutcomeLengths lengths =
      outcome_lengths(bound.model, {{{0.0, 0.0}, {0}}, {{3.0, 4.0}, {1}}}, *law.columns,
                      Coordinates::identity(3), theta);
  const std::vector<double>& norms = lengths.longest;
  const double p = 1.0 / (1.0 + std::exp(3.0));
  ASSERT_EQ(lengths.squares.size(), 2u);
  EXPECT_NEAR(lengths.squares[0], p * (1.0 - p), 1e-9);
  EXPECT_NEAR(lengths.squares[1], 26.0 * p * (1.0 - p), 1e-9);
  ASSERT_EQ(norms.size(), 2u);
  EXPECT_NEAR(norms[0], 1.0 - p, 1e-9);
  EXPECT_NEAR(norms[1], (1.0 - p) * std::sqrt(26.0), 1e-9);
}

}  // namespace
}  // namespace dpvi
