#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <dpvi/tape/math/scalar_functions.hpp>
#include <tests/tape/function_cases.hpp>
#include <tests/tape/function_oracle.hpp>

namespace dpvi {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(ScalarFunctions, ValuesAreThoseOfTheFormulas) {
  for (const FunctionCase& function : function_cases()) {
    for (const double x : function.points) {
      const double value = unary_value(function.op, x);
      EXPECT_LE(units_apart(value, exact_unary(function.op, x), function.floor), function.units)
          << op_name(function.op) << " at " << x << " is " << value;
    }
  }
}

TEST(ScalarFunctions, DerivativesAreThoseOfTheFormulas) {
  for (const FunctionCase& function : function_cases()) {
    if (is_step(function.op)) continue;
    for (const double x : function.points) {
      const double expected = exact_derivative(function.op, x);
      const double partial = unary_partial(function.op, x, unary_value(function.op, x));
      EXPECT_NEAR(partial, expected, function.slope_error * std::fmax(1e-3, std::fabs(expected)))
          << op_name(function.op) << " at " << x;
    }
  }
}

TEST(ScalarFunctions, QuantileInvertsTheDistributionFunction) {
  for (const double x : {-30.0, -8.0, -1.5, 0.0, 0.25, 3.0, 7.0}) {
    const double p = unary_value(Op::phi, x);
    const double back = unary_value(Op::inv_phi, p);
    // Near 1 the probability itself has lost these digits.
    EXPECT_NEAR(back, x, x > 5.0 ? 1e-4 : 1e-12 * std::fmax(1.0, std::fabs(x)));
    EXPECT_NEAR(unary_partial(Op::inv_phi, p, back) * unary_partial(Op::phi, back, p), 1.0, 1e-12);
  }
  EXPECT_EQ(unary_value(Op::inv_phi, 0.0), -kInfinity);
  EXPECT_EQ(unary_value(Op::inv_phi, 1.0), kInfinity);
  EXPECT_TRUE(std::isnan(unary_value(Op::inv_phi, 1.5)));
}

TEST(ScalarFunctions, EdgesOfDomainsGiveInfinityOrNanAndNeverThrow) {
  EXPECT_EQ(unary_value(Op::log, 0.0), -kInfinity);
  EXPECT_EQ(unary_value(Op::log1p, -1.0), -kInfinity);
  EXPECT_EQ(unary_value(Op::log1m_exp, 0.0), -kInfinity);
  EXPECT_EQ(unary_value(Op::log_inv_logit, -kInfinity), -kInfinity);
  EXPECT_EQ(unary_value(Op::log_inv_logit, kInfinity), 0.0);
  EXPECT_EQ(unary_value(Op::log1p_exp, kInfinity), kInfinity);
  EXPECT_EQ(unary_value(Op::lgamma, 0.0), kInfinity);
  EXPECT_EQ(unary_value(Op::log_phi, -kInfinity), -kInfinity);
  EXPECT_EQ(unary_value(Op::log_phi, kInfinity), 0.0);
  EXPECT_EQ(unary_value(Op::log_bessel_i0, kInfinity), kInfinity);
  for (const Op op : {Op::log, Op::sqrt, Op::digamma, Op::trigamma}) {
    EXPECT_TRUE(std::isnan(unary_value(op, -1.0))) << op_name(op);
  }
  EXPECT_TRUE(std::isnan(unary_value(Op::log1m_exp, 0.5)));
  for (int i = static_cast<int>(Op::neg); i <= static_cast<int>(Op::trunc); ++i) {
    const auto op = static_cast<Op>(i);
    EXPECT_TRUE(std::isnan(unary_value(op, kNan))) << op_name(op);
    EXPECT_NO_THROW(unary_partial(op, kInfinity, unary_value(op, kInfinity)));
    EXPECT_NO_THROW(unary_partial(op, -kInfinity, unary_value(op, -kInfinity)));
  }
}

TEST(ScalarFunctions, StepFunctionsHaveNoSlope) {
  for (int i = 0; i < kOpCount; ++i) {
    const auto op = static_cast<Op>(i);
    if (!is_step(op)) continue;
    if (op_class(op) == OpClass::unary) {
      EXPECT_EQ(unary_partial(op, 0.3, unary_value(op, 0.3)), 0.0) << op_name(op);
    } else {
      const BinaryPartials partials = binary_partials(op, 0.3, 0.4, binary_value(op, 0.3, 0.4));
      EXPECT_EQ(partials.first, 0.0);
      EXPECT_EQ(partials.second, 0.0);
    }
  }
}

TEST(ScalarFunctions, BinaryDerivativesAgreeWithDifferences) {
  const Op ops[] = {Op::add, Op::sub, Op::mul,   Op::div, Op::pow,
                    Op::min, Op::max, Op::atan2, Op::fmod};
  const double h = 1e-6;
  for (const Op op : ops) {
    for (const double a : {0.7, 2.5}) {
      for (const double b : {-1.3, 0.4, 1.9}) {
        const BinaryPartials partials = binary_partials(op, a, b, binary_value(op, a, b));
        const double by_a = (binary_value(op, a + h, b) - binary_value(op, a - h, b)) / (2 * h);
        const double by_b = (binary_value(op, a, b + h) - binary_value(op, a, b - h)) / (2 * h);
        EXPECT_NEAR(partials.first, by_a, 1e-7 * std::fmax(1.0, std::fabs(by_a))) << op_name(op);
        EXPECT_NEAR(partials.second, by_b, 1e-7 * std::fmax(1.0, std::fabs(by_b))) << op_name(op);
      }
    }
  }
}

TEST(ScalarFunctions, MinAndMaxNeverSwallowNan) {
  for (const Op op : {Op::min, Op::max}) {
    EXPECT_TRUE(std::isnan(binary_value(op, kNan, 1.0)));
    EXPECT_TRUE(std::isnan(binary_value(op, 1.0, kNan)));
  }
}

TEST(ScalarFunctions, PowersOfZeroHaveFiniteDerivatives) {
  const BinaryPartials square = binary_partials(Op::pow, 0.0, 2.0, 0.0);
  EXPECT_EQ(square.first, 0.0);
  EXPECT_EQ(square.second, 0.0);
  EXPECT_EQ(binary_partials(Op::pow, 0.0, 0.0, 1.0).first, 0.0);
}

}  // namespace
}  // namespace dpvi
