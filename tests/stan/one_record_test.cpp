#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "model_reading.hpp"

// A record's contribution is the program's value on it minus the value on an empty table.
namespace dpvi {
namespace {

constexpr double kLogTwoPi = 1.8378770664093454836;

double normal_lpdf(double y, double mu, double sigma) {
  const double z = (y - mu) / sigma;
  return -0.5 * z * z - std::log(sigma) - 0.5 * kLogTwoPi;
}

double prior_at(const StanModel& model, const std::vector<double>& theta) {
  return reference_values(*model.graph, model.prior, theta).at(0);
}

double record_at(const StanModel& model, const std::vector<double>& theta,
                 const std::vector<double>& reals, const std::vector<std::int32_t>& ints = {}) {
  return reference_values(*model.graph, model.record, theta, {reals, ints}).at(0);
}

TEST(OneRecord, PriorHoldsJacobiansAndRecordOnlyItsLikelihood) {
  ReadModel read(
      "data { int<lower=1> N; vector[N] y; }\n"
      "parameters { real mu; real<lower=0> sigma; }\n"
      "model { mu ~ normal(0, 2); sigma ~ exponential(1); y ~ normal(mu, sigma); }");
  const StanModel model = read.build();
  const double sigma = std::exp(0.3);
  EXPECT_FALSE(model.prior_from_mock_record);
  EXPECT_NEAR(prior_at(model, {0.5, 0.3}), normal_lpdf(0.5, 0, 2) - sigma + 0.3, 1e-12);
  EXPECT_NEAR(record_at(model, {0.5, 0.3}, {1.5}), normal_lpdf(1.5, 0.5, sigma), 1e-12);
  // The prior's terms are the same nodes in both runs, so they cancel exactly instead of being
  // subtracted.
  EXPECT_FALSE(std::isnan(record_at(model, {0.5, 0.3}, {1.5})));
}

// A prior that has no value at any usual point is no reason to run on mock records. A mock record
// might index outside the vector of effects.
TEST(OneRecord, APriorOutsideItsSupportIsStillThePrior) {
  ReadModel read(
      "data { int N; vector[N] y; array[N] int unit; } parameters { real far; vector[2] u; }\n"
      "model { far ~ uniform(50, 51); u ~ normal(0, 1); y ~ normal(far + u[unit], 1); }");
  const StanModel model = read.build();
  EXPECT_FALSE(model.prior_from_mock_record);
  EXPECT_EQ(prior_at(model, {0.5, 0, 0}), -std::numeric_limits<double>::infinity());
  EXPECT_NEAR(prior_at(model, {50.5, 0, 0}), -kLogTwoPi, 1e-12);
  EXPECT_NEAR(record_at(model, {50.5, 1, 2}, {52}, {2}), normal_lpdf(52, 52.5, 1), 1e-12);
}

TEST(OneRecord, StatementsOnParametersAloneInsideTheLoopBelongToTheRecord) {
  ReadModel read(
      "data { int N; vector[N] y; } parameters { real mu; real<lower=0> sigma; }\n"
      "model { for (n in 1:N) { target += -0.5 * square((y[n] - mu) / sigma); target += "
      "-log(sigma); } }");
  const StanModel model = read.build();
  EXPECT_NEAR(prior_at(model, {0.5, 0.3}), 0.3, 1e-15);
  EXPECT_NEAR(record_at(model, {0.5, 0.3}, {1.5}), -0.5 * std::exp(-0.6) - 0.3, 1e-12);
}

TEST(OneRecord, TermsThatCountRecordsBelongToTheRecord) {
  for (const char* count : {"N", "rows(x)", "size(y)", "num_elements(y)", "n2"}) {
    ReadModel read(
        "data { int N; vector[N] y; matrix[N, 2] x; } transformed data { int n2 = N; }\n"
        "parameters { real<lower=0> sigma; }\n"
        "model { target += -" +
        std::string(count) + " * log(sigma); target += -0.5 * dot_self(y) / sigma; }");
    const StanModel model = read.build();
    EXPECT_NEAR(prior_at(model, {0.3}), 0.3, 1e-15) << count;
    EXPECT_NEAR(record_at(model, {0.3}, {2, 0, 0}), -0.3 - 2 / std::exp(0.3), 1e-12) << count;
    EXPECT_EQ(read.factorises(), true) << count;
  }
}

TEST(OneRecord, ColumnsHoldOneRecordLastIndexFastest) {
  ReadModel read(
      "data { int N; matrix[N, 2] x; array[N] int k; array[N] matrix[2, 3] m; array[N, 2] int "
      "pair; array[N] row_vector[2] r; }\n"
      "parameters { real p; }\n"
      "model { for (n in 1:N) target += x[n, 2] + 10 * k[n] + 100 * m[n][1, 2] + 1000 * pair[n, 2] "
      "+ 10000 * r[n][1]; }");
  const StanModel model = read.build();
  ASSERT_EQ(model.record_variables.size(), 5u);
  EXPECT_EQ(model.real_columns, 10);
  EXPECT_EQ(model.integer_columns, 3);
  EXPECT_EQ(model.record_variables[2].first_column, 2);
  EXPECT_EQ(record_at(model, {0}, {1, 2, 11, 12, 13, 21, 22, 23, 7, 8}, {3, 5, 6}),
            2 + 30 + 1200 + 6000 + 70000);
}

TEST(OneRecord, ConditionsOnRecordsChooseABranchForEachRecord) {
  ReadModel read(
      "functions { real f(real x, real p) { if (x > 0) { if (x > 10) return 5 * p; return 2 * p; } "
      "return p; } }\n"
      "data { int N; vector[N] x; array[N] int<lower=1, upper=3> g; }\n"
      "parameters { real p; vector[3] u; }\n"
      "model { for (n in 1:N) { real s = 1; int k = g[n] > 1 ? 1 : 2; if (g[n] == 2) { s = 3; "
      "target += 100; } else if (g[n] == 3) s = 5; target += s * u[g[n]] + f(x[n], p) + 1000 * k; "
      "} }");
  const StanModel model = read.build();
  const std::vector<double> theta = {0.5, 1, 2, 3};
  EXPECT_DOUBLE_EQ(record_at(model, theta, {-1}, {1}), 1 + 0.5 + 2000);
  EXPECT_DOUBLE_EQ(record_at(model, theta, {1}, {2}), 100 + 6 + 1 + 1000);
  EXPECT_DOUBLE_EQ(record_at(model, theta, {11}, {3}), 15 + 2.5 + 1000);
  EXPECT_TRUE(std::isnan(record_at(model, theta, {1}, {4})));
}

TEST(OneRecord, IndicesFromRecordsGatherRowsColumnsAndEntries) {
  ReadModel read(
      "data { int N; array[N] int g; array[N] int h; }\n"
      "parameters { matrix[2, 3] M; array[3] vector[2] a; array[2, 3] real b; }\n"
      "model { for (n in 1:N) target += M[g[n], h[n]] + sum(M[g[n]]) * 10 + sum(M[, h[n]]) * 100 + "
      "a[h[n]][g[n]] * 1000 + b[g[n], h[n]] * 10000 + a[h[n], 2] * 100000; }");
  const StanModel model = read.build();
  std::vector<double> theta = {1, 2, 3, 4, 5, 6};                // M by columns
  for (const double x : {1, 2, 3, 4, 5, 6}) theta.push_back(x);  // a
  for (const double x : {1, 2, 3, 4, 5, 6}) theta.push_back(x);  // b by rows
  EXPECT_DOUBLE_EQ(record_at(model, theta, {}, {2, 3}), 6 + 120 + 1100 + 6000 + 60000 + 600000);
  EXPECT_DOUBLE_EQ(record_at(model, theta, {}, {1, 2}), 3 + 90 + 700 + 3000 + 20000 + 400000);
}

// Stan throws if an index is out of range, even if the result is not used.
TEST(OneRecord, PositionsOutsideFailThoughNothingIsMadeOfThem) {
  for (const char* body : {"real z = a[k[n]]; z = 0; target += z + a[1];",   // read, then replaced
                           "vector[2] b = a; b[k[n]] = 1; target += a[1];",  // assigned, never used
                           "vector[2] b = a[{1, k[n]}]; target += a[1];",
                           "if (k[n] < 5) { real z = a[k[n]]; } target += a[1];"}) {
    ReadModel read(std::string("data { int N; array[N] int k; } parameters { vector[2] a; }\n"
                               "model { for (n in 1:N) { ") +
                   body + " } }");
    const StanModel model = read.build();
    EXPECT_NEAR(record_at(model, {0.5, 0.3}, {}, {2}), 0.5, 1e-15) << body;
    EXPECT_TRUE(std::isnan(record_at(model, {0.5, 0.3}, {}, {0}))) << body;
    EXPECT_TRUE(std::isnan(record_at(model, {0.5, 0.3}, {}, {3}))) << body;
  }
}

TEST(OneRecord, ConditionsGuardPositions) {
  for (const char* body : {"target += k[n] > 0 && k[n] < 3 ? a[k[n]] : 7;",
                           "if (k[n] > 0 && k[n] < 3) target += a[k[n]]; else target += 7;",
                           "target += (k[n] < 1 || k[n] > 2 || a[k[n]] > 100) ? 7 : a[k[n]];",
                           "target += k[n] > 0 && k[n] < 3 && a[k[n]] < 100 ? a[k[n]] : 7;",
                           "target += k[n] > 0 ? (k[n] < 3 ? a[k[n]] : 7) : 7;"}) {
    ReadModel read(std::string("data { int N; array[N] int k; } parameters { vector[2] a; }\n"
                               "model { for (n in 1:N) { ") +
                   body + " } }");
    const StanModel model = read.build();
    EXPECT_NEAR(record_at(model, {0.5, 0.3}, {}, {2}), 0.3, 1e-15) << body;
    EXPECT_NEAR(record_at(model, {0.5, 0.3}, {}, {0}), 7.0, 1e-15) << body;
    EXPECT_NEAR(record_at(model, {0.5, 0.3}, {}, {3}), 7.0, 1e-15) << body;
  }
}

// Statements in a function take effect only where its call is reached.
TEST(OneRecord, CallsInsideConditionalExpressionsCountWhereTheyAreReached) {
  ReadModel read(
      "functions { real f(real x) { if (x < 0) reject(\"negative\"); return x; } }\n"
      "data { int N; vector[N] y; } parameters { real m; }\n"
      "model { for (n in 1:N) target += y[n] > 0 ? f(y[n]) * m : m; }");
  const StanModel model = read.build();
  EXPECT_NEAR(record_at(model, {0.5}, {2.0}), 1.0, 1e-15);
  EXPECT_NEAR(record_at(model, {0.5}, {-2.0}), 0.5, 1e-15);
}

TEST(OneRecord, ValuesOfARecordAreSorted) {
  for (const int size : {1, 2, 3, 5, 6, 7}) {
    ReadModel read(
        "data { int N; int K; matrix[N, K] x; } parameters { real m; }\n"
        "model { for (n in 1:N) { vector[K] up = sort_asc(x[n]'); row_vector[K] down = "
        "sort_desc(-m * x[n]); for (k in 1:K) target += k^3 * up[k] + k * down[K - k + 1]; } }",
        {.known = {{"K", known_scalar(size)}}});
    const StanModel model = read.build();
    std::vector<double> numbers(static_cast<std::size_t>(size));
    std::iota(numbers.begin(), numbers.end(), -1.5);
    double expected = 0;
    for (int k = 1; k <= size; ++k) {
      // sort_desc puts the product with the smallest number first, since the factor is negative.
      const auto place = static_cast<std::size_t>(k - 1);
      expected += k * k * k * numbers[place] - 0.5 * k * numbers[numbers.size() - 1 - place];
    }
    do {
      ASSERT_NEAR(record_at(model, {0.5}, numbers), expected, 1e-10) << size;
    } while (std::next_permutation(numbers.begin(), numbers.end()));
  }
}

TEST(OneRecord, TwoPositionsOfARecordAreWrittenTo) {
  ReadModel read(
      "data { int N; array[N] int<lower=1, upper=2> r; array[N] int<lower=1, upper=3> c; }\n"
      "parameters { real m; }\n"
      "model { for (n in 1:N) { matrix[2, 3] b = rep_matrix(1, 2, 3); b[r[n], c[n]] = m;\n"
      "  target += b[1, 1] + 10 * b[2, 1] + 100 * b[1, 3] + 1000 * b[2, 3]; } }");
  const StanModel model = read.build();
  EXPECT_NEAR(record_at(model, {0.5}, {}, {2, 3}), 611.0, 1e-12);
  EXPECT_NEAR(record_at(model, {0.5}, {}, {1, 1}), 1110.5, 1e-12);
  EXPECT_NEAR(record_at(model, {0.5}, {}, {1, 2}), 1111.0, 1e-12);
}

TEST(OneRecord, ProgramsThatNeedARecordRestOnAMockOne) {
  ReadModel read(
      "data { int<lower=1> N; vector[N] y; }\n"
      "transformed data { real first = y[1]; }\n"
      "parameters { real mu; }\n"
      "model { mu ~ normal(0, 2 + 0 * first); for (n in 1:N) y[n] ~ normal(mu, 1); }");
  const StanModel model = read.build();
  EXPECT_TRUE(model.prior_from_mock_record);
  EXPECT_NEAR(prior_at(model, {0.5}), normal_lpdf(0.5, 0, 2), 1e-12);
  EXPECT_NEAR(record_at(model, {0.5}, {1.5}), normal_lpdf(1.5, 0.5, 1), 1e-12);
}

TEST(OneRecord, DeclaredFactsStandInForComputedOnes) {
  const std::string program =
      "data { int N; vector[N] x; matrix[N, 2] X; }\n"
      "transformed data { vector[N] z = (x - mean(x)) / sd(x); real m2 = mean(X[, 2]); real hi = "
      "max(x); real m1 = mean(col(X, 1)); }\n"
      "parameters { real p; }\n"
      "model { target += z * p; target += N * (m2 + hi + m1) * p; }";
  EXPECT_EQ(first_error(program),
            "2:39 mean(x) over records needs the declared mean of column 1 of 'x'. Add 'mean = "
            "...' to its column in the schema, or give the value as public data.");
  ReadModel read(program, {.facts = {{"x", {{.mean = 10, .sd = 2, .upper = 20}}},
                                     {"X", {{.mean = 3}, {.mean = 7}}}}});
  const StanModel model = read.build();
  EXPECT_DOUBLE_EQ(record_at(model, {0.5}, {14, 0, 0}), (2 + 7 + 20 + 3) * 0.5);
}

TEST(OneRecord, LoopsMayEndWhereARecordSaysWithinDeclaredBounds) {
  ReadModel read(
      "data { int N; array[N] int<lower=0, upper=4> k; array[N] int<lower=1, upper=2> from; "
      "array[N, 4] real y; }\n"
      "parameters { real m; }\n"
      "model { for (n in 1:N) { real s = 0; for (i in from[n]:(k[n] - 0)) { if (y[n, i] > 90) "
      "continue; s += y[n, i] * m; target += 100; if (y[n, i] < 0) break; } target += s; } }");
  const StanModel model = read.build();
  const std::vector<double> y = {1, 2, 99, 4};
  EXPECT_DOUBLE_EQ(record_at(model, {0.5}, y, {2, 1}), 1.5 + 200);
  EXPECT_DOUBLE_EQ(record_at(model, {0.5}, y, {4, 2}), 3 + 200);
  EXPECT_DOUBLE_EQ(record_at(model, {0.5}, y, {0, 1}), 0);
  EXPECT_DOUBLE_EQ(record_at(model, {0.5}, {1, -2, 3, 4}, {4, 1}), -0.5 + 200);
  EXPECT_EQ(read.factorises(), true);
}

TEST(OneRecord, TransformedParametersOutsideTheirBoundsMakeNaN) {
  ReadModel read(
      "data { int N; vector[N] y; } parameters { real m; }\n"
      "transformed parameters { real<lower=0> a = m; vector<upper=5>[N] b = m * y; } model { }");
  const StanModel model = read.build();
  EXPECT_EQ(prior_at(model, {0.5}), 0);
  EXPECT_TRUE(std::isnan(prior_at(model, {-0.5})));
  EXPECT_EQ(record_at(model, {0.5}, {2}), 0);
  EXPECT_TRUE(std::isnan(record_at(model, {0.5}, {12})));
}

// Program text as generated by the R package brms.
TEST(OneRecord, CentredDesignMatricesWithHalfTPriorsAreRead) {
  const std::string program = R"(
data {
  int<lower=1> N;
  vector[N] Y;
  int<lower=1> K;
  matrix[N, K] X;
  int prior_only;
}
transformed data {
  int Kc = K - 1;
  matrix[N, Kc] Xc;
  vector[Kc] means_X;
  for (i in 2:K) {
    means_X[i - 1] = mean(X[, i]);
    Xc[, i - 1] = X[, i] - means_X[i - 1];
  }
}
parameters { vector[Kc] b; real Intercept; real<lower=0> sigma; }
model {
  target += student_t_lpdf(sigma | 3, 0, 10) - 1 * student_t_lccdf(0 | 3, 0, 10);
  if (!prior_only) target += normal_id_glm_lpdf(Y | Xc, Intercept, b, sigma);
}
generated quantities { real b_Intercept = Intercept - dot_product(means_X, b); }
)";
  ReadModel read(program, {.known = {{"K", known_scalar(3)}, {"prior_only", known_scalar(0)}},
                           .facts = {{"X", {{.mean = 1}, {.mean = 10}, {.mean = 20}}}}});
  const StanModel model = read.build();
  const std::vector<double> theta = {0.1, 0.2, 3, 0};
  // For Y = 4 and X = (1, 12, 23), the centred row is (2, 3).
  EXPECT_NEAR(record_at(model, theta, {4, 1, 12, 23}), normal_lpdf(4, 3 + 0.2 + 0.6, 1), 1e-12);
  const double density = std::lgamma(2.0) - std::lgamma(1.5) -
                         0.5 * std::log(3 * 3.14159265358979323846) - std::log(10) -
                         2 * std::log1p(0.01 / 3);
  EXPECT_NEAR(prior_at(model, theta), density - std::log(0.5), 1e-12);
  ASSERT_EQ(model.generated.size(), 1u);
  EXPECT_NEAR(reference_values(*model.graph, model.generated[0].node, theta)[0], 3 - 1 - 4, 1e-12);
  EXPECT_EQ(read.factorises(), true);
}

TEST(OneRecord, MissingPublicDataCanBeMockedToSeeTheStructure) {
  ReadModel read(
      "data { int N; int<lower=1> K; int<lower=K> J; matrix[N, K] x; simplex[J] w; "
      "array[N] int<lower=1, upper=J> g; cov_matrix[K] S; }\n"
      "parameters { vector[K] b; vector[J] u; }\n"
      "model { b ~ multi_normal(rep_vector(0, K), S); u ~ dirichlet(w); target += x * b + u[g]; }",
      {.mock_missing = true});
  const StanModel model = read.build();
  EXPECT_EQ(model.free_size, 6);
  EXPECT_TRUE(std::isfinite(record_at(model, {0, 0, 0, 0, 0, 0}, {1, 2, 3}, {2})));
}

// Declared facts replace means of data; no facts exist for computed quantities.
TEST(OneRecord, MeansOfWhatIsComputedFromRecordsAreDropped) {
  RecordFacts facts;
  facts["y"] = {{.mean = 3.0}};
  ReadModel read(
      "data { int N; vector[N] y; } transformed data { vector[N] c = y - mean(y); }\n"
      "parameters { real a; real<lower=0> s; } transformed parameters { vector[N] mu = a * c; }\n"
      "model { y ~ normal(mu, s); }\n"
      "generated quantities { real centre = mean(y) + a; vector[N] e = y - mu; real spread = "
      "sd(e); "
      "real top; { array[N] real r; for (n in 1:N) r[n] = normal_rng(mu[n], s); top = max(r); } "
      "real of_theta = mean([a, s]); }",
      {.facts = facts});
  const StanModel model = read.build();
  std::vector<std::string> kept;
  for (const NamedValue& value : model.generated) kept.push_back(value.name);
  EXPECT_EQ(kept, (std::vector<std::string>{"centre", "of_theta"}));
  EXPECT_TRUE(model.drawn.empty());
  EXPECT_EQ(reference_values(*model.graph, model.generated[0].node, std::vector{2.0, 0.0})[0], 5);
}

// If one component of an assigned tuple reads records, all its components count as reading them.
TEST(OneRecord, TuplesCarryNoRecordIntoWhatIsGenerated) {
  ReadModel read(
      "functions { tuple(real, real) f(real a, real b) { return (a, b); } }\n"
      "data { int N; vector[N] y; } parameters { real s; } model { y ~ normal(s, 1); }\n"
      "generated quantities { real a; real b; (a, b) = f(s, 2); real c; real d = 1; (c, d) = f(s, "
      "sum(y)); real e; { tuple(real, real) t = (s, 3); t.2 = sum(y); e = t.1; } real g = 1; "
      "vector[N] h; (h, g) = (y, s); real k = f(s, 1).1; }");
  const StanModel model = read.build();
  std::vector<std::string> kept;
  for (const NamedValue& value : model.generated) kept.push_back(value.name);
  EXPECT_EQ(kept, (std::vector<std::string>{"a", "b", "k"}));
  EXPECT_EQ(reference_values(*model.graph, model.generated[1].node, std::vector{0.5})[0], 2);
  EXPECT_EQ(model.dropped.size(), 5u);
}

// A record whose matrix Stan rejects contributes nothing; the other records contribute as usual.
TEST(OneRecord, AnAsymmetricMatrixIsItsRecordsOwnAffair) {
  ReadModel read(
      "data { int N; array[N] matrix[2, 2] S; } parameters { vector[2] b; }\n"
      "model { for (n in 1:N) target += -quad_form_sym(S[n], b) - "
      "log_determinant_spd(S[n]); }");
  const StanModel model = read.build();
  EXPECT_NEAR(record_at(model, {1, 2}, {2, 1, 1, 3}), -(2 + 4 + 12) - std::log(5), 1e-12);
  EXPECT_TRUE(std::isnan(record_at(model, {1, 2}, {2, 1, 1.5, 3})));
  EXPECT_TRUE(std::isnan(record_at(model, {0, 0}, {2, 1, 1.5, 3})));
}

TEST(OneRecord, GeneratedQuantitiesThatReadRecordsAreDropped) {
  ReadModel read(
      "data { int N; int K; vector[N] y; }\n"
      "parameters { real<lower=0> s; vector[K] b; }\n"
      "transformed parameters { real s2 = s^2; vector[N] mu = y * s; }\n"
      "model { y ~ normal(0, s); }\n"
      "generated quantities { real a = 2 * s2; vector[K] c; for (k in 1:K) c[k] = b[k] + k; "
      "vector[N] log_lik; for (n in 1:N) log_lik[n] = normal_lpdf(y[n] | 0, s); real n = N; "
      "real draw = normal_rng(0, s); vector[N] rep; for (n2 in 1:N) rep[n2] = normal_rng(0, s); "
      "real via = sum(log_lik); real d; if (y[1] > 0) d = 1; else d = 2; { real local = a; a += "
      "local; } }",
      {.known = {{"K", known_scalar(2)}}});
  const StanModel model = read.build();
  std::vector<std::string> kept;
  for (const NamedValue& value : model.generated) kept.push_back(value.name);
  EXPECT_EQ(kept, (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(model.drawn, (std::vector<std::string>{"draw"}));
  std::vector<std::string> dropped;
  for (const DroppedQuantity& quantity : model.dropped) {
    dropped.push_back(quantity.name + ": " + quantity.reason);
  }
  EXPECT_EQ(dropped, (std::vector<std::string>{
                         "mu: depends on record data", "log_lik: depends on record data",
                         "n: depends on record data", "rep: depends on record data",
                         "via: depends on record data", "d: depends on record data"}));
  const std::vector<double> theta = {0.3, 5, 6};
  EXPECT_NEAR(reference_values(*model.graph, model.generated[0].node, theta)[0], 4 * std::exp(0.6),
              1e-12);
  EXPECT_EQ(reference_values(*model.graph, model.generated[1].node, theta),
            (std::vector<double>{6, 8}));
  ASSERT_EQ(model.transformed_parameters.size(), 1u);
  EXPECT_EQ(model.transformed_parameters[0].name, "s2");
}

TEST(OneRecord, EntriesAreListedAsStanListsThem) {
  ReadModel read(
      "data { int N; } parameters { array[2] matrix[1, 3] a; real b; simplex[3] s; } model { }");
  const StanModel model = read.build();
  std::vector<std::string> names;
  std::vector<std::int64_t> offsets;
  for (const ListedEntry& entry : listed_entries(model.parameters[0].value)) {
    names.push_back(entry.name);
    offsets.push_back(entry.offset);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"a[1,1,1]", "a[2,1,1]", "a[1,1,2]", "a[2,1,2]",
                                             "a[1,1,3]", "a[2,1,3]"}));
  EXPECT_EQ(offsets, (std::vector<std::int64_t>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(listed_entries(model.parameters[1].value)[0].name, "b");
  EXPECT_EQ(model.parameters[2].first_free, 7);
  EXPECT_EQ(model.parameters[2].free_size, 2);
  EXPECT_EQ(model.free_size, 9);
}

TEST(OneRecord, BoundsByTheRecordCountRestrictNothing) {
  ReadModel read(R"(
data {
  int<lower=1> N;
  int<lower=1, upper=N> J;
  array[N] int<lower=1, upper=N> group;
  vector[N] y;
}
transformed data { int<lower=1, upper=N> twice = 2 * J; }
parameters { vector[J] a; }
model { for (n in 1:N) y[n] ~ normal(a[group[n]] / twice, 1); }
)",
                 {.known = {{"J", known_scalar(3)}}});
  const StanModel model = read.build();
  EXPECT_EQ(read.factorises(), true);
  const auto value = [&](std::int32_t group) {
    return record_at(model, {6, 12, 24}, {2.0}, {group});
  };
  constexpr double kAtMean = -0.91893853320467274;
  EXPECT_NEAR(value(1), kAtMean - 0.5, 1e-12);
  EXPECT_NEAR(value(2), kAtMean, 1e-12);
  EXPECT_NEAR(value(3), kAtMean - 2, 1e-12);
  EXPECT_FALSE(std::isfinite(value(4)));
}

TEST(OneRecord, RejectFailsWhereItIsReached) {
  const std::string head = "data { int N; vector[N] y; } parameters { real m; }\nmodel {\n";
  EXPECT_EQ(first_error(head + "reject(\"no\"); }"), "3:1 The program calls reject() here.");
  ReadModel read(head + "if (m > 0) reject(\"no\"); for (n in 1:N) if (y[n] > 1) reject(y[n]); }");
  const StanModel model = read.build();
  EXPECT_EQ(prior_at(model, {-1}), 0);
  EXPECT_TRUE(std::isnan(prior_at(model, {1})));
  EXPECT_EQ(record_at(model, {-1}, {0.5}), 0);
  EXPECT_TRUE(std::isnan(record_at(model, {-1}, {1.5})));
}

}  // namespace
}  // namespace dpvi
