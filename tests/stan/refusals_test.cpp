#include "model_reading.hpp"

// Programs that combine records or cannot end are refused with the position and the reason.
namespace dpvi {
namespace {

bool refused(const std::string& text, const std::string& start, const std::string& reason,
             StanModelOptions options = {}) {
  const std::string error = first_error(text, std::move(options));
  const bool found = error.starts_with(start) && error.find(reason) != std::string::npos;
  if (!found) ADD_FAILURE() << error;
  return found;
}

constexpr const char* kAlone = "A record's contribution may use that record alone";

TEST(Refusals, TimeSeriesAreRefusedWhereTheyReadAnotherRecord) {
  const std::string head =
      "data { int<lower=0> N; vector[N] y; } parameters { real a; real<lower=0> s; }\n";
  refused(head + "model { for (n in 2:N)\n y[n] ~ normal(a * y[n - 1], s); }", "3:20 ",
          "a neighbouring record");
  refused(head + "model {\n y[2:N] ~ normal(a * y[1:(N - 1)], s); }", "3:2 ", kAlone);
  refused(head + "model { vector[N] e; e[1] = y[1];\n e[2] = y[2]; e ~ normal(a, s); }", "3:9 ",
          "The record at position 2 is read together with another one.");
}

TEST(Refusals, ValuesComputedFromAllRecordsAreRefused) {
  const std::string head =
      "data { int<lower=0> N; matrix[N, 2] x; array[N] int<lower=0, upper=1> y; }\n";
  refused(head + "parameters { real<lower=0, upper=1> p; } model {\n sum(y) ~ binomial(N, p); }",
          "3:2 ", kAlone);
  refused(head + "transformed data { array[N] int s = sort_asc(y); } model { target += s; }",
          "2:37 ", "orders the records");
  refused(head + "transformed data { real m = mean(x); } model { target += m; }", "2:29 ",
          "Ask for one column at a time");
  refused(head + "transformed data { matrix[N, 2] q = qr_thin_Q(x); } model { target += sum(q); }",
          "2:37 ", "combines all records");
}

// Without records the maximum is -inf, and so is every difference from it.
TEST(Refusals, RunningExtremesAreRefused) {
  const std::string head = "data { int<lower=0> N; vector[N] y; } parameters { real a; }\n";
  refused(head +
              "model { real most = negative_infinity(); for (n in 1:N) most = fmax(most, y[n]);\n"
              " target += most * a; }",
          "3:2 ", kAlone);
}

TEST(Refusals, FunctionsThatAreNotSupportedSayWhy) {
  const std::string head =
      "data { int<lower=0> N; vector[N] y; matrix[2, 2] F; } parameters { simplex[3] p; }\n";
  refused(head + "model { F ~ gaussian_dlm_obs(F, F, F, F, p, F); }", "2:9 ", "time series");
  refused(head + "model { target += gaussian_dlm_obs_lpdf(F | F, F, F, F, p, F); }", "2:19 ",
          "time series");
  refused(head + "model { target += inv_inc_beta(1, 2, p[1]); }", "2:19 ", "not supported");
  refused(head + "model { target += hypergeometric_1F0(2, p[1]); }", "2:19 ", "(1 - z)^(-a)");
  refused(head + "model { target += wiener_lcdf_unnorm(1.0 | 1, 0.1, p[1], 0); }", "2:19 ",
          "first passage time");
}

TEST(Refusals, TuplesThatDoNotMatchAreRefusedWithTheirPlace) {
  const auto in_model = [](const std::string& text) {
    return "data { int<lower=0> N; vector[N] y; } parameters { real a; }\nmodel {\n" + text + " }";
  };
  refused(in_model("real b = (1, a).3;"), "3:10 ", "has 2 components; there is no component 3");
  refused(in_model("real b = (1, a).0;"), "3:10 ", "no component 0");
  refused(in_model("real b = a.1;"), "3:10 ", "'.1' is a component of a tuple; this is real");
  refused(in_model("array[1] tuple(int, real) t = {(1, a)}; real b = t.1;"), "3:50 ",
          "Index the array first");
  refused(in_model("tuple(int, real) t = (a, 1);"), "3:22 ", "its value here is tuple(real, int)");
  refused(in_model("real b; (b, b) = (1, 2);"), "3:", "assigned twice in one statement");
  refused(in_model("vector[2] b; (b[1], b[2]) = (1, 2);"), "3:", "assigned twice");
  refused(in_model("tuple(real, real) t; (t, t.1) = ((1, 2), 3);"),
          "3:", "'t.1' is assigned twice");
  refused(in_model("tuple(real, real) t; (t.1, t) = (3, (1, 2));"), "3:", "'t' is assigned twice");
  refused(in_model("real b; (a, b) = (1, 2);"), "3:10 ", "'a' is a parameter");
  refused(in_model("target += -(1, a);"), "3:11 ", "Operator '-' does not take tuple(int, real)");
  refused(in_model("target += sum((1, a));"), "3:11 ", "'sum' does not take (tuple(int, real))");
  refused(in_model("tuple(real<lower=0>, int) t = (a, 1);"), "3:7 ", "cannot be constrained");
  refused("data { int<lower=0> N; tuple(int, real) t; } model { }", "1:24 ",
          "A tuple cannot be declared in the data block. Declare a variable for each");
  refused("data { int<lower=0> N; } parameters { tuple(real, real) t; } model { }", "1:39 ",
          "in the parameters block");
  refused(
      "data { int<lower=0> N; } parameters { real a; } transformed parameters { tuple(real, "
      "real) t = (a, a); } model { }",
      "1:74 ", "assign them together: (a, b) = f(x);");
}

TEST(Refusals, TuplesDoNotHideThatRecordsAreCombined) {
  const std::string head =
      "functions { tuple(real, real) ends(vector v) { return (sum(v), 1); } }\n"
      "data { int<lower=0> N; vector[N] y; } parameters { real a; }\nmodel {\n";
  refused(head + "tuple(real, real) t = ends(y); target += t.1 * t.1 * a; }", "4:", kAlone);
  refused(head +
              "array[N] tuple(real, real) t; for (n in 1:N) t[n] = (y[n], a);\n"
              "for (n in 2:N) target += t[n].1 * t[n - 1].1 * a; }",
          "5:", "");
  refused(head +
              "array[N] tuple(real, real) t; for (n in 1:N) t[n] = (y[n], a);\n"
              "for (one in t) { if (one.1 > 2) break; target += -square(one.1 - a); } }",
          "5:", "");
}

TEST(Refusals, BoundsOfTruncationAreSingleNumbers) {
  const std::string head = "data { int<lower=0> N; vector[N] y; } parameters { real a; } model {\n";
  refused(head + " for (n in 1:N) y[n] ~ normal(a, 1) T[y, ]; }", "2:39 ", "not vector");
  refused(head + " for (n in 1:N) y[n] ~ normal(a, 1) T[, {1, 2}]; }", "2:41 ", "not array[] int");
}

TEST(Refusals, CovariancesBetweenRecordsAreRefused) {
  const std::string head =
      "data { int<lower=0> N; array[N] real x; vector[N] y; } parameters { real<lower=0> s; }\n";
  refused(head + "model { matrix[N, N] K = gp_exp_quad_cov(x, 1.0, s); }", "2:26 ",
          "couples all records");
  refused(head +
              "model { matrix[N, N] K; for (i in 1:N) for (j in 1:N)\n"
              " K[i, j] = exp(-square(x[i] - x[j])) + (i == j ? s : 0.0);\n"
              " y ~ multi_normal(rep_vector(0, N), K); }",
          "4:2 ", kAlone);
}

// Each program factorises until a record, a parameter or the table reaches a threshold set by the
// program.
TEST(Refusals, DependenceBehindRareValuesIsFound) {
  const std::string head =
      "data { int<lower=0> N; vector[N] y; vector[N] x; array[N] int<lower=0> k;\n"
      "array[N] int<lower=0, upper=1> d; } parameters { real m; real<lower=0> s; }\n";
  for (const char* model : {
           "for (n in 1:N) { if (y[n] > 20) break; y[n] ~ normal(m, s); }",
           "for (n in 1:N) { if (k[n] == 777) break; y[n] ~ normal(m, s); }",
           "real a = 0; for (n in 1:N) { a += y[n] > 1e6 ? 1.0 : 0.0; y[n] ~ normal(m + a, s); }",
           "real a = 0; for (n in 1:N) { if (d[n] == 1 && x[n] > 8 && k[n] > 12) a = 1;\n"
           "y[n] ~ normal(m + a, s); }",
           "y ~ normal(m, s); for (n in 2:N) if (x[n] == x[n - 1]) target += -square(m);",
           "y ~ normal(m, s); if (m > 6) target += -N * N * m;",
           "y ~ normal(m, s); if (N > 1000) target += -square(m);",
           "for (n in 1:N) if (n % 50 == 0) y[n] ~ normal(0, 1); else y[n] ~ normal(m, s);",
       }) {
    const std::string error = first_error(head + "model { " + model + " }");
    EXPECT_NE(error.find(kAlone), std::string::npos) << model << "\n" << error;
  }
}

// Each program factorises until the table is longer than a number in the program.
TEST(Refusals, DependenceOnTheNumberOrOrderOfRecordsIsRefused) {
  const std::string head =
      "data { int<lower=0> N; vector[N] y; } parameters { real m; real<lower=0> s; }\nmodel {\n";
  for (const auto& [model, reason] : std::vector<std::pair<std::string, std::string>>{
           {"y ~ normal(m, s); if (N > 987654) target += m; }", "depends on the number of records"},
           {"y ~ normal(N == 987654 ? m : s, s); }", "depends on the number of records"},
           {"y ~ normal(m, s); if (2 * rows(y) - 7 >= 987654) target += m; }",
            "depends on the number of records"},
           {"y ~ normal(m, s); if (N % 987654 == 5) target += m; }",
            "depends on the number of records"},
           {"y ~ normal(m, s); for (i in 1:(N - 987654)) target += m; }", "do not correspond"},
           {"y ~ normal(m, s); for (i in 1:(N %/% 987654)) target += m; }", "do not correspond"},
           {"for (n in 1:N) { y[n] ~ normal(m, s); if (n > 987654) target += m; }}",
            "depends on a record's position among the records"},
           {"for (n in 1:N) { y[n] ~ normal(m, s); if (y[n] > 987654) break; }}",
            "ends a loop over records"},
           {"int i = 1; while (i <= N) { y[i] ~ normal(m, s); if (y[i] > 98) break; i += 1; }}",
            "ends a loop over records"},
           {"for (v in y) { v ~ normal(m, s); break; }}", "ends a loop over records"},
           {"3 ~ binomial(N, inv_logit(m)); }", "is an argument of a distribution"},
       }) {
    const std::string error = first_error(head + model);
    EXPECT_TRUE(error.starts_with("3:")) << model << "\n" << error;
    EXPECT_NE(error.find(reason), std::string::npos) << model << "\n" << error;
    EXPECT_NE(error.find(kAlone), std::string::npos) << model << "\n" << error;
  }
}

TEST(Refusals, LeavingAFunctionFromALoopOverRecordsIsRefusedUnlessItEndsAll) {
  const auto program = [](const std::string& early) {
    return "functions { real f_lpdf(vector y, real m) { real lp = 0;\n"
           "for (n in 1:rows(y)) { lp += normal_lpdf(y[n] | m, 1); if (y[n] > 98) return " +
           early +
           "; }\nreturn lp; } }\n"
           "data { int N; vector[N] y; } parameters { real m; } model { y ~ f(m); }";
  };
  refused(program("lp"), "2:71 ", "ends a loop over records");
  EXPECT_EQ(first_error(program("negative_infinity()")), "none");
}

TEST(Refusals, HarmlessUsesOfTheNumberOfRecordsAreAllowed) {
  const std::string head =
      "data { int<lower=0> N; vector[N] y; matrix[N, 3] x; } transformed data { int g = N %/% 10; "
      "}\n"
      "parameters { real m; vector[3] b; } model {\n";
  for (const char* model : {
           "if (N > 0) y ~ normal(m, 1); }",
           "if (N == 0) target += 0; else y ~ normal(m, 1); }",
           "if (rows(x) != N || num_elements(x) != 3 * N) reject(\"sizes\"); y ~ normal(x * b, 1); "
           "}",
           "for (n in 1:N) { if (n % 100 == 0) print(n); y[n] ~ normal(m, 1); } }",
           "int i = 1; while (i <= N) { y[i] ~ normal(m, 1); i += 1; } }",
           "for (k in 1:3) { if (k == 2) break; b[k] ~ normal(0, 1); } y ~ normal(m, 1); }",
           "for (n in 1:N) for (k in 1:3) { if (k == 2) break; x[n, k] ~ normal(m, 1); } }",
       }) {
    EXPECT_EQ(first_error(head + model), "none") << model;
  }
}

TEST(Refusals, NeighboursReadBehindARecordsOwnValueAreRefused) {
  const std::string head =
      "data { int<lower=0> N; vector[N] y; array[N] int<lower=0, upper=1> first; }"
      "\nparameters { real m; } model {\n";
  for (const char* model : {
           "for (n in 1:N) if (first[n] == 1) y[n] ~ normal(m, 1); else y[n] ~ normal(y[n - 1], "
           "1); }",
           "for (n in 1:N) y[n] ~ normal(first[n] ? m : y[n + 1], 1); }",
       }) {
    const std::string error = first_error(head + model);
    EXPECT_NE(error.find("is read together with another one"), std::string::npos) << model << error;
  }
}

TEST(Refusals, AProgramThatNeedsARecordIsComparedOnTwo) {
  const std::string head =
      "data { int<lower=0> N; vector[N] y; } parameters { real m; real<lower=0> s; }\n";
  refused(head + "model {\n target += normal_lpdf(sum(y) / N | m, s); }", "3:2 ", kAlone);
}

TEST(Refusals, RecursionIsRefusedAlsoThroughOthers) {
  const std::string tail = "\ndata { int N; } parameters { real m; } model { target += f(m); }";
  refused("functions { real f(real x) { return f(x / 2); } }" + tail, "1:18 ",
          "'f' calls itself, directly or through other functions.");
  refused(
      "functions { real g(real x); real f(real x) { return g(x); }\n"
      "real g(real x) { return f(x); } }" +
          tail,
      "1:34 ", "Recursion is not supported.");
}

TEST(ReduceSum, IsTheFunctionOnTheWhole) {
  ReadModel read(
      "functions { real part(array[] real y, int from, int to, vector x, real b) {\n"
      "  return normal_lpdf(y | b * x[from:to], 1); } }\n"
      "data { int N; array[N] real y; vector[N] x; } parameters { real b; }\n"
      "model { target += reduce_sum(part, y, 1, x, b); }");
  const StanModel model = read.build();
  EXPECT_EQ(read.factorises(), true);
  const std::vector<double> record = {2.0, 0.5};
  const double residual = 2.0 - 0.3 * 0.5;
  EXPECT_NEAR(reference_values(*model.graph, model.record, std::vector{0.3}, {record, {}})[0],
              -0.5 * residual * residual - 0.9189385332046727, 1e-12);
}

}  // namespace
}  // namespace dpvi
