#include <dpvi/fit/prepare/release_model.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <dpvi/fit/mock/mock_records.hpp>
#include <dpvi/gradient/record_gradients.hpp>
#include <dpvi/random/standard_normal.hpp>
#include <tests/support/bound_program.hpp>

namespace dpvi {
namespace {

struct Case {
  const char* name;
  const char* text;
  std::size_t numbers;  // release coordinates
};

constexpr Case kCases[] = {
    {"regression", kLogisticProgram, 3},
    {"non-centred groups", R"(
data { int N; array[N] int<lower=1, upper=40> g; vector[N] y; }
parameters { real mu; real<lower=0> tau; vector[40] z; real<lower=0> sigma; }
transformed parameters { vector[40] a = mu + tau * z; }
model { z ~ std_normal(); y ~ normal(a[g], sigma); })",
     41},
    {"centred groups", R"(
data { int N; array[N] int<lower=1, upper=40> g; vector[N] y; }
parameters { real mu; real<lower=0> tau; vector[40] a; real<lower=0> sigma; }
model { a ~ normal(mu, tau); y ~ normal(a[g], sigma); })",
     41},
    {"intercept and slope of groups, non-centred", R"(
data { int N; array[N] int<lower=1, upper=6> g; vector[N] x; array[N] int<lower=0, upper=1> y; }
parameters { vector[2] mu; vector<lower=0>[2] tau; matrix[6, 2] z; }
transformed parameters { vector[6] a = mu[1] + tau[1] * z[, 1]; vector[6] b = mu[2] + tau[2] * z[, 2]; }
model { to_vector(z) ~ std_normal(); y ~ bernoulli_logit(a[g] + b[g] .* x); })",
     12},
    {"horseshoe", R"(
data { int N; matrix[N, 4] x; vector[N] y; }
parameters { real alpha; vector[4] z; vector<lower=0>[4] lambda; real<lower=0> tau; real<lower=0> sigma; }
transformed parameters { vector[4] beta = z .* lambda * tau; }
model { z ~ std_normal(); lambda ~ cauchy(0, 1); tau ~ cauchy(0, 1); y ~ normal(alpha + x * beta, sigma); })",
     6},
    {"ordinal", R"(
data { int N; vector[N] x; array[N] int<lower=1, upper=4> y; }
parameters { real b; ordered[3] c; }
model { b ~ normal(0, 1); c ~ normal(0, 2); y ~ ordered_logistic(b * x, c); })",
     4},
    {"mixture with a simplex", R"(
data { int N; vector[N] y; }
parameters { simplex[2] w; ordered[2] m; real<lower=0> s; }
model { m ~ normal(0, 3); target += log_mix(w[1], normal_lpdf(y | m[1], s), normal_lpdf(y | m[2], s)); })",
     4},
};

// Log density and gradient of one record.
ValueAndGradient evaluated(const RecordModel& model, const MockRecord& record,
                           std::span<const double> theta) {
  const RecordTable table = model.prepare(std::span(&record, 1));
  RecordGradients gradients(model.tape(), table, 1);
  const std::uint64_t first = 0;
  return gradients.plain_value(theta, {&first, 1});
}

// The density of a record is the same in release coordinates, and so is its gradient after the
// chain rule.
TEST(ReleaseModel, HasTheDensityOfTheProgram) {
  for (const Case& one : kCases) {
    const BoundProgram bound = bind_program(one.text);
    const ReleaseModel& release = bound.release;
    EXPECT_EQ(release.dimension(), one.numbers) << one.name;
    SeededStream stream = SeededGenerator(3).stream({.label = StreamLabel::initial_value});
    std::vector<double> theta(bound.model.dimension());
    for (const MockRecord& record : make_mock_records(bound.binding, 8, SeededGenerator(2))) {
      fill_standard_normal(stream, theta);
      const std::vector<double> numbers = release.map()->evaluate(theta);
      const ValueAndGradient expected = evaluated(bound.model, record, theta);
      const ValueAndGradient found = evaluated(release.records(), record, numbers);
      if (!std::isfinite(expected.value)) continue;
      EXPECT_NEAR(found.value, expected.value, 1e-9 * (1.0 + std::abs(expected.value))) << one.name;
      std::vector<double> gradient(theta.size(), 0.0);
      release.map()->pull_back(theta, found.gradient, gradient);
      for (std::size_t i = 0; i < gradient.size(); ++i) {
        EXPECT_NEAR(gradient[i], expected.gradient[i], 1e-8 * (1.0 + std::abs(gradient[i])))
            << one.name << ", " << bound.model.unconstrained_names()[i];
      }
    }
  }
}

// Both forms of a hierarchy have the same release coordinates.
TEST(ReleaseModel, DoesNotDependOnTheFormOfAHierarchy) {
  const BoundProgram standardised = bind_program(kCases[1].text);
  const BoundProgram centred = bind_program(kCases[2].text);
  const auto records = make_mock_records(centred.binding, 4, SeededGenerator(2));
  SeededStream stream = SeededGenerator(4).stream({.label = StreamLabel::initial_value});
  std::vector<double> effects(40);
  fill_standard_normal(stream, effects);
  // Entries of theta come first: log sigma before computed effects, and after effects that are
  // parameters.
  std::vector<double> computed = {0.2}, parameters = effects;
  computed.insert(computed.end(), effects.begin(), effects.end());
  parameters.push_back(0.2);
  for (const MockRecord& record : records) {
    EXPECT_DOUBLE_EQ(evaluated(standardised.release.records(), record, computed).value,
                     evaluated(centred.release.records(), record, parameters).value);
  }
}

}  // namespace
}  // namespace dpvi
