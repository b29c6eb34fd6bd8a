#include <gtest/gtest.h>

#include <cmath>

#include <dpvi/base/error.hpp>
#include <dpvi/fit/plan/initial_values.hpp>
#include <tests/support/bound_program.hpp>

namespace dpvi {
namespace {

// The program has every kind of constraint and a bound that is another parameter.
constexpr const char* kProgram = R"(
data { int N; vector[N] y; }
parameters {
  real a;
  real<lower=a> b;
  vector<lower=0, upper=1>[2] p;
  simplex[3] weights;
  ordered[3] cuts;
  positive_ordered[2] rates;
  unit_vector[3] direction;
  sum_to_zero_vector[3] effects;
  cholesky_factor_corr[3] L;
  corr_matrix[2] R;
  cov_matrix[2] S;
  array[2] real<offset=2, multiplier=3> z;
  matrix<upper=4>[2, 3] m;
}
model { y ~ normal(a, 1); }
)";

PublicValue value(std::vector<std::size_t> dimensions, std::vector<double> numbers) {
  PublicValue result;
  result.dimensions = std::move(dimensions);
  result.numbers = std::move(numbers);
  return result;
}

class InitialValuesOf : public testing::Test {
 protected:
  std::vector<double> theta(const PublicData& values) const {
    return theta_of_values(model_, values, std::vector<double>(model_.dimension(), 0.0));
  }

  // Returns entry i of the named output; the first index varies fastest.
  double output(const std::vector<double>& theta, const std::string& name,
                std::size_t i = 0) const {
    std::size_t first = 0;
    for (const OutputVariable& variable : model_.outputs()) {
      if (variable.name == name) return model_.output_values(theta)[first + i];
      first += static_cast<std::size_t>(variable.size());
    }
    return std::nan("");
  }

  const RecordModel model_ = bind_program(kProgram).model;
};

TEST_F(InitialValuesOf, EveryConstraintHasItsValuesAtTheta) {
  const double r = std::sqrt(0.5), s = std::sqrt(1.0 - 0.25 - 0.09);
  const auto at = theta({{"a", value({}, {-40.0})},
                         {"b", value({}, {1e6})},
                         {"p", value({2}, {0.001, 0.6})},
                         {"weights", value({3}, {0.7, 0.29, 0.01})},
                         {"cuts", value({3}, {-3.0, 0.5, 80.0})},
                         {"rates", value({2}, {1e-4, 20.0})},
                         {"direction", value({3}, {-r, 0.0, r})},
                         {"effects", value({3}, {2.0, -5.0, 3.0})},
                         {"L", value({3, 3}, {1, 0, 0, 0.6, 0.8, 0, -0.5, 0.3, s})},
                         {"R", value({2, 2}, {1.0, 0.7, 0.7, 1.0})},
                         {"S", value({2, 2}, {4.0, -1.5, -1.5, 9.0})},
                         {"z", value({2}, {2.0, 8.0})},
                         {"m", value({2, 3}, {1, 2, 3, -1, -2, -3})}});
  EXPECT_NEAR(output(at, "a"), -40.0, 1e-5);
  EXPECT_NEAR(output(at, "b"), 1e6, 1.0);
  EXPECT_NEAR(output(at, "p", 0), 0.001, 1e-8);
  EXPECT_NEAR(output(at, "weights", 2), 0.01, 1e-8);
  EXPECT_NEAR(output(at, "cuts", 2), 80.0, 1e-5);
  EXPECT_NEAR(output(at, "rates", 0), 1e-4, 1e-9);
  EXPECT_NEAR(output(at, "direction", 2), r, 1e-6);
  EXPECT_NEAR(output(at, "effects", 1), -5.0, 1e-6);
  EXPECT_NEAR(output(at, "L", 2), -0.5, 1e-6);  // L[3, 1]: the first index varies fastest
  EXPECT_NEAR(output(at, "R", 1), 0.7, 1e-6);
  EXPECT_NEAR(output(at, "S", 2), -1.5, 1e-6);
  EXPECT_NEAR(output(at, "z", 1), 8.0, 1e-6);
  EXPECT_NEAR(output(at, "m", 1), -1.0, 1e-6);  // m[2, 1]
}

TEST_F(InitialValuesOf, ParametersWithoutAValueKeepTheirs) {
  const auto at = theta({{"a", value({}, {3.0})}});
  EXPECT_NEAR(at[0], 3.0, 1e-6);
  for (std::size_t i = 1; i < at.size(); ++i) EXPECT_EQ(at[i], 0.0);
}

TEST_F(InitialValuesOf, ValuesAgainstTheDeclarationAreRefused) {
  const auto code_of = [&](const PublicData& values) -> std::string {
    try {
      theta(values);
    } catch (const Error& error) {
      return std::string(error.code().id);
    }
    return "";
  };
  EXPECT_EQ(code_of({{"p", value({2}, {0.5, 1.5})}}), "DP333");
  EXPECT_EQ(code_of({{"weights", value({3}, {0.7, 0.7, 0.7})}}), "DP333");
  EXPECT_EQ(code_of({{"cuts", value({3}, {1.0, 0.0, 2.0})}}), "DP333");
  EXPECT_EQ(code_of({{"a", value({}, {std::nan("")})}}), "DP333");
  EXPECT_EQ(code_of({{"p", value({3}, {0.5, 0.5, 0.5})}}), "DP331");
  EXPECT_EQ(code_of({{"alpha", value({}, {0.5})}}), "DP202");
}

}  // namespace
}  // namespace dpvi
