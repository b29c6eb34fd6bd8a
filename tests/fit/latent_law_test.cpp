#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <dpvi/fit/mock/mock_records.hpp>
#include <dpvi/fit/mock/outcome_simulator.hpp>
#include <dpvi/fit/mock/record_lanes.hpp>
#include <tests/support/bound_program.hpp>

// The law of a record with latent variables: these first, then the outcomes given them.

namespace dpvi {
namespace {

constexpr const char* kVisits = R"(
data { int N; vector[N] a; array[N, 3] int<lower=0, upper=1> y; }
parameters { real alpha; real beta; real log_tau; vector[N] z; }
model {
  alpha ~ normal(0, 1); beta ~ normal(0, 1); log_tau ~ normal(0, 1);
  z ~ normal(0, exp(log_tau));
  for (n in 1:N) y[n] ~ bernoulli_logit(alpha + beta * a[n] + z[n]);
}
)";
constexpr const char* kAffine = R"(
data { int N; array[N, 2] real y; }
parameters {
  real mu; real log_tau; real log_s;
  vector<offset=mu, multiplier=exp(log_tau)>[N] z;
}
model {
  mu ~ normal(0, 1); log_tau ~ normal(0, 1); log_s ~ normal(0, 1);
  z ~ normal(mu, exp(log_tau));
  for (n in 1:N) y[n] ~ normal(z[n], exp(log_s));
}
)";
constexpr const char* kPositive = R"(
data { int N; array[N] int<lower=0> y; }
parameters { real log_shape; real log_rate; vector<lower=0>[N] rate; }
model {
  log_shape ~ normal(0, 1); log_rate ~ normal(0, 1);
  rate ~ gamma(exp(log_shape), exp(log_rate));
  y ~ poisson(rate);
}
)";
constexpr const char* kLines = R"(
data { int N; array[N] vector[3] y; }
parameters { vector[2] mean_line; vector[2] log_tau; real log_s; array[N] vector[2] line; }
model {
  mean_line ~ normal(0, 1); log_tau ~ normal(0, 1); log_s ~ normal(0, 1);
  for (n in 1:N) {
    line[n] ~ multi_normal_cholesky(mean_line, diag_matrix(exp(log_tau)));
    y[n] ~ normal(line[n, 1] + line[n, 2] * [-1, 0, 1]', exp(log_s));
  }
}
)";

TEST(LatentLaw, DrawsRecordsWhoseScoresHaveMeanZero) {
  for (const std::string text : {kVisits, kAffine, kPositive, kLines}) {
    const BoundProgram bound = bind_program(text);
    const OutcomeSimulator simulator(bound.model, bound.binding);
    ASSERT_TRUE(simulator.found()) << simulator.description() << text;
    constexpr std::size_t kCount = 8000;
    std::vector<MockRecord> records = make_mock_records(bound.binding, kCount, SeededGenerator(3));
    const std::size_t columns = records.front().reals.size();
    const std::vector<double> theta(bound.model.dimension(), 0.2);
    simulator.simulate(theta, records, SeededGenerator(4));
    EXPECT_EQ(records.front().reals.size(), columns) << "latent variables are not kept";
    const std::size_t size = theta.size();
    std::vector<double> sums(size, 0.0), squares(size, 0.0);
    RecordLanes lanes(bound.model.tape(), theta);
    for (std::size_t first = 0; first < kCount; first += kLanes) {
      const double* gradients = lanes.gradients(std::span(records).subspan(first, kLanes));
      for (std::size_t i = 0; i < size * kLanes; ++i) {
        ASSERT_TRUE(std::isfinite(gradients[i]));
        sums[i / kLanes] += gradients[i];
        squares[i / kLanes] += gradients[i] * gradients[i];
      }
    }
    for (std::size_t j = 0; j < size; ++j) {
      EXPECT_LT(std::abs(sums[j]), 5.0 * std::sqrt(squares[j])) << j << text;
      EXPECT_GT(squares[j], 0.0);
    }
  }
}

// The fewest numbers through which records depend on parameters are those of the integral.
TEST(LatentLaw, ReleaseCoordinatesAreThoseOfTheMarginalDensity) {
  const BoundProgram bound = bind_program(kVisits);
  EXPECT_EQ(bound.release.dimension(), bound.model.dimension());
}

}  // namespace
}  // namespace dpvi
