#include <cmath>

#include "model_reading.hpp"

// Some programs need the value of a record's int; they run once for each value it can take.
namespace dpvi {
namespace {

double log_poisson(int y, double rate) { return y * std::log(rate) - rate - std::lgamma(y + 1.0); }

double record_value(const StanModel& model, const std::vector<double>& theta,
                    std::vector<std::int32_t> integers, std::vector<double> reals = {}) {
  return reference_values(*model.graph, model.record, theta, {reals, integers})[0];
}

// Sums out an abundance n between the largest count and 6; the vector's size depends on y.
constexpr const char* kAbundance = R"(
data { int<lower=0> N; array[N, 2] int<lower=0, upper=4> y; }
transformed data {
  array[N] int<lower=0> most;
  for (i in 1:N) most[i] = max(y[i]);
}
parameters { real<lower=0> rate; real<lower=0, upper=1> p; }
model {
  rate ~ exponential(1);
  for (i in 1:N) {
    vector[6 - most[i] + 1] lp;
    for (j in 1:(6 - most[i] + 1)) {
      lp[j] = poisson_lpmf(most[i] + j - 1 | rate) + binomial_lpmf(y[i] | most[i] + j - 1, p);
    }
    target += log_sum_exp(lp);
  }
}
)";

// Items have parameters packed into one vector. first[item] ranges over 200 values, but item only
// over four.
TEST(CaseRuns, PiecesOfAPublicTableAreTakenItemByItem) {
  ReadModel read(
      R"(
data { int N; array[N] int<lower=1, upper=4> item; array[4] int first; array[4] int many; }
parameters { vector[203] b; }
model {
  for (n in 1:N) {
    target += sum(segment(b, first[item[n]], many[item[n]]));
    for (k in 1:many[item[n]]) target += 1000 * k;
  }
}
)",
      {.known = {{"first", known_list({1, 7, 200, 3})}, {"many", known_list({2, 1, 4, 0})}}});
  const StanModel model = read.build();
  EXPECT_EQ(read.factorises(), true);
  std::vector<double> theta(203);
  for (std::size_t i = 0; i < theta.size(); ++i) theta[i] = static_cast<double>(i + 1);
  EXPECT_EQ(record_value(model, theta, {1}), 1 + 2 + 3000);
  EXPECT_EQ(record_value(model, theta, {2}), 7 + 1000);
  EXPECT_EQ(record_value(model, theta, {3}), 200 + 201 + 202 + 203 + 10000);
  EXPECT_EQ(record_value(model, theta, {4}), 0);
}

TEST(CaseRuns, SizesMayDependOnABoundedIntOfTheRecord) {
  ReadModel read(kAbundance);
  const StanModel model = read.build();
  EXPECT_EQ(read.factorises(), true);
  const std::vector<double> theta = {std::log(2.5), std::log(0.4 / 0.6)};
  const auto log_binomial = [](int y, int n) {
    return std::lgamma(n + 1.0) - std::lgamma(y + 1.0) - std::lgamma(n - y + 1.0) +
           y * std::log(0.4) + (n - y) * std::log(0.6);
  };
  for (int a = 0; a <= 4; ++a) {
    for (int b = 0; b <= 4; ++b) {
      double total = 0;
      for (int n = std::max(a, b); n <= 6; ++n) {
        total += std::exp(log_poisson(n, 2.5) + log_binomial(a, n) + log_binomial(b, n));
      }
      EXPECT_NEAR(record_value(model, theta, {a, b}), std::log(total), 1e-12) << a << " " << b;
    }
  }
  // A record outside the declared bounds contributes nothing.
  EXPECT_FALSE(std::isfinite(record_value(model, theta, {5, 9})));
}

// Stores zeros and nonzeros separately, in arrays whose sizes are counted from the records.
constexpr const char* kSorted = R"(
functions { int zeros(array[] int y) { int s = 0; for (n in 1:size(y)) s += y[n] == 0; return s; } }
data { int<lower=0> N; array[N] int<lower=0> y; }
transformed data {
  int<lower=0> none = zeros(y);
  array[N - none] int<lower=1> some;
  int at = 0;
  for (n in 1:N) { if (y[n] == 0) continue; at += 1; some[at] = y[n]; }
}
parameters { real<lower=0, upper=1> q; real<lower=0> rate; }
model {
  target += none * log_sum_exp(log(q), log1m(q) + poisson_lpmf(0 | rate));
  target += at * log1m(q);
  target += poisson_lpmf(some | rate);
}
)";

TEST(CaseRuns, ArraysMayHoldTheRecordsOfOneKind) {
  ReadModel read(kSorted);
  const StanModel model = read.build();
  EXPECT_EQ(read.factorises(), true);
  const std::vector<double> theta = {std::log(0.3 / 0.7), std::log(1.5)};
  EXPECT_NEAR(record_value(model, theta, {0}), std::log(0.3 + 0.7 * std::exp(-1.5)), 1e-12);
  for (const int y : {1, 4}) {
    EXPECT_NEAR(record_value(model, theta, {y}), std::log(0.7) + log_poisson(y, 1.5), 1e-12);
  }
}

TEST(CaseRuns, SlicesAndWhileLoopsMayDependOnTheRecord) {
  ReadModel read(R"(
data { int<lower=0> N; array[N] int<lower=1, upper=3> first; array[N] int<lower=1, upper=3> last; }
parameters { vector[3] b; real m; }
model {
  for (n in 1:N) {
    int i = first[n];
    target += sum(b[first[n]:last[n]]);
    while (i <= last[n]) { target += m * i; i += 1; }
  }
}
)");
  const StanModel model = read.build();
  EXPECT_EQ(read.factorises(), true);
  const std::vector<double> theta = {1, 10, 100, 0.5};
  EXPECT_DOUBLE_EQ(record_value(model, theta, {1, 3}), 111 + 0.5 * 6);
  EXPECT_DOUBLE_EQ(record_value(model, theta, {2, 3}), 110 + 0.5 * 5);
  EXPECT_DOUBLE_EQ(record_value(model, theta, {2, 2}), 10 + 0.5 * 2);
  EXPECT_DOUBLE_EQ(record_value(model, theta, {3, 1}), 0);
}

// The first iteration would read b[0], but no record of that case executes the read.
TEST(CaseRuns, RoundsThatARecordDoesNotTakeMayReadOutside) {
  ReadModel read(R"(
data { int<lower=0> N; array[N] int<lower=1, upper=3> first; array[N] int<lower=0, upper=1> y; }
parameters { vector[3] b; }
model {
  for (n in 1:N) {
    for (t in first[n]:3) if (t > first[n]) target += b[t - 1];
    target += y[n] == 1 ? b[1] : 0;
  }
}
)");
  const StanModel model = read.build();
  EXPECT_EQ(read.factorises(), true);
  const std::vector<double> theta = {1, 10, 100};
  EXPECT_DOUBLE_EQ(record_value(model, theta, {1, 0}), 11);
  EXPECT_DOUBLE_EQ(record_value(model, theta, {2, 1}), 11);
  EXPECT_DOUBLE_EQ(record_value(model, theta, {3, 1}), 1);
}

// No declaration bounds the number of visits, but the table of results ends after three.
TEST(CaseRuns, RoundsEndWhereTheyMustFail) {
  ReadModel read(R"(
data { int<lower=0> N; array[N] int<lower=0> visits; array[N, 3] int<lower=0, upper=9> found; }
parameters { vector[4] b; }
model {
  for (n in 1:N) {
    real before = 0;
    for (v in 1:visits[n]) {
      before = 10 * before + found[n, v];
      target += before * b[v];
    }
    target += 0.5 * b[4];
  }
}
)");
  const StanModel model = read.build();
  EXPECT_EQ(read.factorises(), true);
  const std::vector<double> theta = {1, 1000, 1000000, 4};
  EXPECT_EQ(record_value(model, theta, {0, 1, 2, 3}), 2);
  EXPECT_EQ(record_value(model, theta, {1, 1, 2, 3}), 3);
  EXPECT_EQ(record_value(model, theta, {3, 1, 2, 3}), 123012003);
  // Stan would throw in the fourth iteration.
  EXPECT_TRUE(std::isnan(record_value(model, theta, {4, 1, 2, 3})));
  EXPECT_TRUE(std::isnan(record_value(model, theta, {1000000, 1, 2, 3})));
}

TEST(CaseRuns, RoundsBeginWhereTheyNoLongerFail) {
  ReadModel read(R"(
data { int<lower=0> N; array[N] int from; array[N] int to; }
parameters { vector[3] b; }
model { for (n in 1:N) for (k in from[n]:to[n]) target += b[k + 1]; }
)");
  const StanModel model = read.build();
  const std::vector<double> theta = {1, 10, 100};
  EXPECT_EQ(record_value(model, theta, {0, 2}), 111);
  EXPECT_EQ(record_value(model, theta, {1, 1}), 10);
  EXPECT_EQ(record_value(model, theta, {2, 1}), 0);
  EXPECT_EQ(record_value(model, theta, {-7, -8}), 0);
  for (const std::vector<std::int32_t>& outside :
       {std::vector{-1, 1}, std::vector{-7, -7}, std::vector{-9, 2}, std::vector{0, 3},
        std::vector{3, 3}, std::vector{9, 12}}) {
    EXPECT_TRUE(std::isnan(record_value(model, theta, outside))) << outside[0] << " " << outside[1];
  }
}

TEST(CaseRuns, RoundsThatNeverFailNeedBounds) {
  const auto error = [](const std::string& body) {
    return first_error(
        "data { int<lower=0> N; array[N] int k; }\nparameters { real m; }\n"
        "model { for (n in 1:N) " +
        body + " }");
  };
  const std::string rest =
      " of a loop depends on record data; it must be known before the program runs. Declare lower "
      "and upper bounds, not far apart, for the record data that it is computed from.";
  EXPECT_EQ(error("for (i in 1:k[n]) target += m;"), "3:24 The end" + rest);
  EXPECT_EQ(error("for (i in 1:k[n]) target += m * i;"), "3:24 The end" + rest);
  EXPECT_EQ(error("for (i in k[n]:5) target += m * i;"), "3:24 The start" + rest);
  EXPECT_EQ(error("for (i in 1:k[n]) for (j in 1:k[n]) target += m * i * j;"),
            "3:42 The end" + rest);
}

// Most slices fail here; the priors, common to all that succeed, stay priors.
TEST(CaseRuns, CasesThatFailLeaveThePriorAlone) {
  ReadModel read(R"(
data { int<lower=0> N; array[N, 2] int<lower=1> ends; array[N] int grade; }
parameters { ordered[3] early; ordered[3] late; }
transformed parameters { vector[6] cut = append_row(early, late); }
model {
  early ~ normal(0, 2);
  late ~ normal(0, 2);
  for (n in 1:N) grade[n] ~ ordered_logistic(0, cut[ends[n, 1]:ends[n, 2]]);
}
)");
  const StanModel model = read.build();
  EXPECT_EQ(read.factorises(), true);
}

TEST(CaseRuns, UnboundedOrFarApartValuesAreRefused) {
  const auto error = [](const std::string& type) {
    return first_error("data { int<lower=0> N; array[N] " + type +
                       " k; }\nparameters { real m; }\n"
                       "model { for (n in 1:N) { vector[k[n]] v; target += m; } }");
  };
  const std::string expected =
      "3:33 A size of 'v' depends on record data; it must be known before the program runs. "
      "Declare lower and upper bounds, not far apart, for the record data that it is computed "
      "from.";
  EXPECT_EQ(error("int"), expected);
  EXPECT_EQ(error("int<lower=0>"), expected);
  EXPECT_EQ(error("int<lower=0, upper=1000>"), expected);
  EXPECT_EQ(error("int<lower=0, upper=9>"), "none");
  EXPECT_EQ(first_error("data { int<lower=0> N; array[N] int<lower=0> k; } parameters { real m; }\n"
                        "model { for (n in 1:N) { int i = 0; while (i < k[n]) i += 1; } }"),
            "2:37 The condition of a while loop depends on record data; it must be known before "
            "the program runs. Declare lower and upper bounds, not far apart, for the record data "
            "that it is computed from.");
}

// A bound on k would not help, because a parameter also decides.
TEST(CaseRuns, ChoicesThatAlsoDependOnParametersAreReportedAsSuch) {
  EXPECT_EQ(
      first_error("data { int<lower=0> N; array[N] int k; } parameters { real m; }\n"
                  "model { for (n in 1:N) { real s = 1; while (s < k[n] * m) s += 1; } }"),
      "2:38 The condition of a while loop depends on record data and parameters; it must be known "
      "before the program runs.");
}

TEST(CaseRuns, DeclaredFactsBoundIntsToo) {
  StanModelOptions options;
  options.facts["k"] = {{.lower = 0, .upper = 3}};
  ReadModel read(
      "data { int<lower=0> N; array[N] int k; } parameters { real m; }\n"
      "model { for (n in 1:N) { vector[k[n]] v = rep_vector(m, k[n]); target += sum(v); } }",
      options);
  const StanModel model = read.build();
  EXPECT_DOUBLE_EQ(record_value(model, {0.25}, {3}), 0.75);
}

}  // namespace
}  // namespace dpvi
