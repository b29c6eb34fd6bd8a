#include <cmath>

#include <gtest/gtest.h>

#include <dpvi/stan/facts/density_needs.hpp>

#include "model_reading.hpp"

// Covers transformed data used only in generated quantities, and failing statements outside the
// density.
namespace dpvi {
namespace {

double record_of(const StanModel& model, const std::vector<double>& theta,
                 const std::vector<double>& reals, const std::vector<std::int32_t>& integers) {
  return reference_values(*model.graph, model.record, theta, {reals, integers})[0];
}

std::vector<std::string> kept_of(const StanModel& model) {
  std::vector<std::string> names;
  for (const NamedValue& value : model.generated) names.push_back(value.name);
  return names;
}

std::vector<std::string> needed(const std::string& blocks) {
  const CheckedProgram checked = read_stan_program(
      "m.stan", "data { int N; vector[N] y; }\ntransformed data { " + blocks, stan_functions());
  EXPECT_FALSE(checked.findings.has_errors());
  const DensityNeeds needs(checked.program);
  std::vector<std::string> names;
  for (const StatementPtr& statement :
       checked.program.block(BlockKind::transformed_data).statements) {
    if (statement->kind != StatementKind::declaration) continue;
    if (needs.needs(statement->declaration->slot)) names.push_back(statement->declaration->name);
  }
  return names;
}

using Names = std::vector<std::string>;

TEST(DensityNeeds, FollowAssignmentsLoopsConditionsAndSizes) {
  EXPECT_EQ(needed("real a = sd(y); real b = a; real c = b; real d = 1; int n = 2; real e; "
                   "if (d > 0) { e = 2; } else { c = 3; } } "
                   "parameters { vector[n] z; } model { z ~ normal(e, 1); }"),
            (Names{"d", "n", "e"}));
  EXPECT_EQ(needed("real total = 0; vector[N] twice; int last = 3; int k = 0; "
                   "for (n in 1:N) { total += y[n]; twice[n] = 2 * y[n]; } "
                   "while (k < last) { k += 1; } } "
                   "parameters { real m; } model { twice ~ normal(m, 1); }"),
            (Names{"twice"}));
}

// A jump decides whether later statements of the loop run.
TEST(DensityNeeds, JumpsMakeTheirWholeLoopNeeded) {
  EXPECT_EQ(needed("real a = 0; real b = 0; for (k in 1:3) { a += 1; if (a > 1) break; b += 1; } } "
                   "parameters { real m; } model { m ~ normal(b, 1); }"),
            (Names{"a", "b"}));
}

TEST(UnneededData, FactsForGeneratedQuantitiesAloneNeedNoDeclaration) {
  ReadModel read(
      "data { int<lower=0> N; array[N] int<lower=0> hits; array[N] int<lower=0> shots; }\n"
      "transformed data { real most; real spread = sd(to_vector(hits)); most = max(hits); "
      "real middle = mean(log1p(to_vector(hits))); real width = spread + middle; }\n"
      "parameters { real<lower=0, upper=1> p; }\n"
      "model { hits ~ binomial(shots, p); }\n"
      "generated quantities { real odds = p / (1 - p); real above = width > odds; "
      "int far = most > 3; }");
  const StanModel model = read.build();
  EXPECT_EQ(read.factorises(), true);
  EXPECT_EQ(kept_of(model), (Names{"odds"}));
  EXPECT_NEAR(record_of(model, {0.0}, {}, {2, 3}), std::log(3.0 / 8.0), 1e-12);
}

TEST(UnneededData, DeclaredFactsStillReachGeneratedQuantities) {
  ReadModel read(
      "data { int N; vector[N] y; } transformed data { real middle = mean(y); }\n"
      "parameters { real m; } model { y ~ normal(m, 1); }\n"
      "generated quantities { real ahead = m - middle; }",
      {.facts = {{"y", {{.mean = 4.0}}}}});
  const StanModel model = read.build();
  ASSERT_EQ(kept_of(model), (Names{"ahead"}));
  EXPECT_EQ(reference_values(*model.graph, model.generated[0].node, std::vector{1.0})[0], -3.0);
}

TEST(UnneededData, WhatTheDensityReadsMustStillBeDeclared) {
  const std::string rest = "parameters { real m; } model { c ~ normal(m, 1); }";
  for (const std::string data :
       {"vector[N] c = y - mean(y);", "real top; vector[N] c; top = max(y); c = y / top;",
        "real s = 0; vector[N] c; if (sd(y) > 1) { s = 1; } c = y + s;"}) {
    const std::string error =
        first_error("data { int N; vector[N] y; }\ntransformed data { " + data + " }\n" + rest);
    EXPECT_NE(error.find("over records needs the declared"), std::string::npos) << error;
  }
}

// With one record the total is at most 1; its bound of 3 applies to all records together.
TEST(UnneededData, BoundsOfTotalsSayNothingOfOneRecord) {
  ReadModel read(
      "data { int N; array[N, 3] int<lower=0, upper=1> seen; }\n"
      "transformed data { array[N] int<lower=0, upper=2> times; int<lower=3> found = 0; "
      "for (n in 1:N) { times[n] = sum(seen[n]); if (times[n] > 0) found += 1; } }\n"
      "parameters { real<lower=0, upper=1> p; }\n"
      "model { for (n in 1:N) times[n] ~ binomial(3, p); }\n"
      "generated quantities { real more = found + p; }");
  const StanModel model = read.build();
  EXPECT_EQ(read.factorises(), true);
  EXPECT_NEAR(record_of(model, {0.0}, {}, {1, 0, 1}), std::log(3.0 / 8.0), 1e-12);
  // Bounds on per-record quantities still apply.
  EXPECT_TRUE(std::isnan(record_of(model, {0.0}, {}, {1, 1, 1})));
}

TEST(UnneededData, BoundsOfWhatEachRecordHasStayWhoeverReadsIt) {
  ReadModel read(
      "data { int N; vector[N] y; } transformed data { vector<lower=0>[N] root = y - 1; }\n"
      "parameters { real m; } model { y ~ normal(m, 1); }");
  const StanModel model = read.build();
  EXPECT_TRUE(std::isfinite(record_of(model, {0.0}, {2.0}, {})));
  EXPECT_TRUE(std::isnan(record_of(model, {0.0}, {0.5}, {})));
}

TEST(UnneededData, RejectionsStay) {
  ReadModel read(
      "data { int N; vector[N] y; } transformed data { real a = 1; "
      "for (n in 1:N) { if (y[n] < 0) reject(\"negative\"); a += 1; } }\n"
      "parameters { real m; } model { y ~ normal(m, 1); }");
  const StanModel model = read.build();
  EXPECT_TRUE(std::isnan(record_of(model, {0.0}, {-1.0}, {})));
  EXPECT_TRUE(std::isfinite(record_of(model, {0.0}, {1.0}, {})));
}

// The failing function is called from the frame of the block, which has more variables.
TEST(FailingStatements, LeaveTheOthersAsTheyAre) {
  ReadModel read(
      "functions { real pick(vector v, int k) { vector[2] w = v[1:2]; return w[k]; } }\n"
      "data { int N; vector[N] y; }\n"
      "parameters { real a; real b; real c; vector[3] m; }\n"
      "transformed parameters { real d = b + c; }\n"
      "model { y ~ normal(a + m[1], 1); }\n"
      "generated quantities { real before = 2 * a; real fails = pick(m, 7); real after = d + m[3]; "
      "{ real local = 5; local = pick(m, 9); } real last = after + before; }");
  const StanModel model = read.build();
  EXPECT_EQ(kept_of(model), (Names{"before", "after", "last"}));
  const std::vector<double> theta = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(reference_values(*model.graph, model.generated[2].node, theta)[0], 2 + 5 + 6);
}

// Assignments made before the failure within the same statement do not count.
TEST(FailingStatements, MakeWhatTheyWouldHaveChangedUndefined) {
  ReadModel read(
      "functions { real third(vector v) { return v[3]; } }\n"
      "data { int N; vector[N] y; }\n"
      "parameters { real a; vector[2] m; }\n"
      "model { y ~ normal(a + m[1], 1); }\n"
      "generated quantities { real g = 0; real h = 1; real k = 2; "
      "for (i in 1:2) { g += i; if (a > 0) { h = third(m); } else { h = m[3]; } } k += a; }");
  const StanModel model = read.build();
  EXPECT_EQ(kept_of(model), (Names{"k"}));
}

// A comparison with an unknown value would give 0 instead of unknown.
TEST(FailingStatements, MakeNothingOfWhatTheyDidNotCompute) {
  ReadModel read(
      "functions { real third(vector v) { return v[3]; } }\n"
      "data { int N; vector[N] y; }\n"
      "parameters { real a; vector[2] m; }\n"
      "model { y ~ normal(a + m[1], 1); }\n"
      "generated quantities { vector[2] z = [1, 2]'; z[2] = third(m); z[1] = 5; "
      "int more = z[1] > a; real part = z[1]; real sound = m[2]; }");
  EXPECT_EQ(kept_of(read.build()), (Names{"sound"}));
}

// The bound of a declaration may call a function that fails without records.
TEST(FailingStatements, InBoundsRestrictNothing) {
  ReadModel read(
      "functions { int second(array[] int v) { int k = v[2]; return k; } }\n"
      "data { int N; array[N] int<lower=0> t; array[N] int<lower=0, upper=second(t)> k; "
      "vector[N] y; }\n"
      "parameters { real a; } model { y ~ normal(a, 1); }");
  const StanModel model = read.build();
  EXPECT_TRUE(std::isfinite(record_of(model, {0.0}, {1.0}, {1, 1})));
}

}  // namespace
}  // namespace dpvi
