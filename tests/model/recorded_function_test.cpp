#include <gtest/gtest.h>

#include <cmath>

#include <dpvi/model/recorded_function.hpp>
#include <examples/cpp_model/robust_line.hpp>
#include <tests/support/bound_program.hpp>
#include <tests/tape/tape_runner.hpp>

namespace dpvi {
namespace {

TEST(RecordedFunction, IsTheTapeOfTheStanProgramWithTheSameFormulas) {
  const RecordModel stan = bind_program(kLogisticProgram).model;
  const RecordTape recorded =
      record_function({.parameters = 3, .reals = 2, .integers = 1},
                      [](Expression theta, Expression reals, Expression integers) {
                        const Expression eta = theta[0] + theta[1] * reals[0] + theta[2] * reals[1];
                        return log_inv_logit((2.0 * integers[0] - 1.0) * eta);
                      });
  EXPECT_EQ(recorded.real_columns(), stan.tape().real_columns());
  const std::vector<double> theta = {0.3, -1.2, 0.7};
  const std::vector<TestRecord> records = {
      {{0.5, 2.0}, {1}}, {{-1.5, 0.25}, {0}}, {{40.0, 1.0}, {1}}};
  const LaneResults by_function = SharedTapeRunner<double>(recorded).run(theta, records);
  const LaneResults by_program = SharedTapeRunner<double>(stan.tape()).run(theta, records);
  for (std::size_t lane = 0; lane < records.size(); ++lane) {
    EXPECT_TRUE(close(by_function.log_density[lane], by_program.log_density[lane], 1e-15));
    for (std::size_t j = 0; j < theta.size(); ++j) {
      EXPECT_TRUE(close(by_function.gradient[j * kLanes + lane],
                        by_program.gradient[j * kLanes + lane], 1e-15));
    }
  }
}

constexpr const char* kRobustLine = R"(
data { int N; vector[N] x; vector[N] y; }
parameters { real alpha; real beta; real<lower=0> sigma; }
model {
  target += normal_lpdf(alpha | 0, 2) + normal_lpdf(beta | 0, 2) + exponential_lpdf(sigma | 1);
  target += student_t_lpdf(y | 4, alpha + beta * x, sigma);
}
)";

TEST(RecordedFunction, TheExampleIsTheModelItSaysItIs) {
  const RecordModel stan = bind_program(kRobustLine).model;
  const RecordTape tape = record_function(robust_line::kShape, robust_line::log_density);
  const UniformFunction prior = record_prior(robust_line::kShape, robust_line::log_prior);
  const std::vector<double> theta = {0.3, -1.2, 0.7};
  std::vector<double> gradient(3), expected(3);
  EXPECT_NEAR(prior.value_and_gradient(theta, gradient),
              stan.prior().value_and_gradient(theta, expected), 1e-12);
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(gradient[j], expected[j], 1e-12);
  const std::vector<TestRecord> records = {{{0.5, 2.0}, {}}, {{-1.5, 100.0}, {}}};
  const LaneResults found = SharedTapeRunner<double>(tape).run(theta, records);
  const LaneResults wanted = SharedTapeRunner<double>(stan.tape()).run(theta, records);
  for (std::size_t lane = 0; lane < records.size(); ++lane) {
    EXPECT_NEAR(found.log_density[lane], wanted.log_density[lane], 1e-12);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_NEAR(found.gradient[j * kLanes + lane], wanted.gradient[j * kLanes + lane], 1e-12);
    }
  }
}

}  // namespace
}  // namespace dpvi
