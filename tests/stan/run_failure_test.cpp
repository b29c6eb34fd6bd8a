#include <gtest/gtest.h>

#include <string>
#include <variant>

#include <dpvi/stan/run/run_failure.hpp>
#include <tests/stan/model_reading.hpp>

namespace dpvi {
namespace {

std::string model_with(const std::string& transformed_data) {
  return "data { int N; vector[N] y; } transformed data { " + transformed_data +
         " } parameters { real m; } model { y ~ normal(m, s); }";
}

RunFailureKind failure_of(const std::string& text, StanModelOptions options = {}) {
  ReadModel read(text, std::move(options));
  const auto built = try_build_stan_model(read.checked, read.data, stan_functions(), read.options);
  return std::get<RunFailure>(built).kind;
}

TEST(RunFailure, SaysWhyAProgramHasNoModel) {
  EXPECT_EQ(failure_of(model_with("real s = [1, 2][3];")), RunFailureKind::fails);
  EXPECT_EQ(failure_of(model_with("real s = sd(y);")), RunFailureKind::missing_fact);
  StanModelOptions few_steps;
  few_steps.limits.steps = 100;
  EXPECT_EQ(failure_of(model_with("real s = 1; for (i in 1:200) s += 1;"), few_steps),
            RunFailureKind::too_large);
  EXPECT_EQ(failure_of("data { int N; vector[N] y; } parameters { vector[N] m; } "
                       "model { y ~ normal(0, 1); }"),
            RunFailureKind::other);
}

TEST(RunFailure, AProgramThatRunsHasAModel) {
  ReadModel read(model_with("real s = 2;"));
  const auto built = try_build_stan_model(read.checked, read.data, stan_functions(), read.options);
  EXPECT_EQ(std::get<StanModel>(built).free_size, 1);
}

TEST(RunFailure, OnlyFailingStatementsAreExpected) {
  EXPECT_TRUE(runs([] {}));
  EXPECT_FALSE(runs([] { throw InputError(kModelFails, "a", "b"); }));
  EXPECT_THROW(runs([] { throw InputError(kModelTooLarge, "a", "b"); }), InputError);
  EXPECT_THROW(runs([] { throw InternalError(kInternal, "a", "b"); }), InternalError);
}

}  // namespace
}  // namespace dpvi
