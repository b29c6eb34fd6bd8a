#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include <dpvi/model/gauss_hermite.hpp>
#include <dpvi/model/marginal_record.hpp>
#include <dpvi/tape/graph/expression.hpp>
#include <dpvi/tape/reference/reference_evaluator.hpp>

// The integral over a record's latent variables, against closed forms and fine grids.

namespace dpvi {
namespace {

const double kLogTwoPi = std::log(2.0 * std::numbers::pi);

Expression normal(Expression x, Expression mean, Expression sd) {
  return -0.5 * square((x - mean) / sd) - log(sd) - 0.5 * kLogTwoPi;
}

// A record's joint density: theta, the record's numbers, and its latent variables.
struct Joint {
  using Formula = std::function<Expression(Expression, Expression, Expression)>;

  Joint(std::int32_t parameters, std::int32_t columns, std::int32_t latents, const Formula& formula,
        const MarginalSettings& settings = {}) {
    const Expression theta{&builder, builder.theta(0, parameters)};
    const Expression record{&builder, builder.record_real(0, columns)};
    const Expression latent{&builder, builder.record_real(columns, latents)};
    joint = formula(theta, record, latent).id;
    marginal = marginal_record(builder, joint, {columns, latents}, settings);
  }

  ReferenceGradient at(std::span<const double> theta, std::span<const double> record) const {
    return reference_gradient(builder.graph(), marginal, theta, {record, {}});
  }
  double joint_at(std::span<const double> theta, std::vector<double> record, double latent) const {
    record.push_back(latent);
    return reference_values(builder.graph(), joint, theta, {record, {}})[0];
  }
  // The integral over one latent variable, by a fine grid.
  double by_grid(std::span<const double> theta, const std::vector<double>& record, double from,
                 double to) const {
    constexpr int kSteps = 4000;
    const double width = (to - from) / kSteps;
    std::vector<double> values;
    for (int i = 0; i <= kSteps; ++i) values.push_back(joint_at(theta, record, from + i * width));
    const double largest = *std::max_element(values.begin(), values.end());
    double sum = 0.0;
    for (const double value : values) sum += std::exp(value - largest);
    return largest + std::log(sum * width);
  }

  GraphBuilder builder;
  NodeId joint;
  NodeId marginal;
};

void expect_own_derivative(const Joint& model, std::vector<double> theta,
                           std::span<const double> record, double tolerance) {
  const ReferenceGradient found = model.at(theta, record);
  for (std::size_t j = 0; j < theta.size(); ++j) {
    constexpr double kStep = 1e-4;
    const double before = theta[j];
    theta[j] = before + kStep;
    const double above = model.at(theta, record).value;
    theta[j] = before - kStep;
    const double below = model.at(theta, record).value;
    theta[j] = before;
    const double slope = (above - below) / (2.0 * kStep);
    EXPECT_NEAR(found.gradient[j], slope, tolerance * (1.0 + std::abs(slope))) << j;
  }
}

TEST(GaussHermite, IntegratesPolynomialsExactly) {
  const GaussHermite rule = gauss_hermite(9);
  for (const auto& [power, expected] : {std::pair(0, 1.0), {2, 0.5}, {4, 0.75}, {16, 7918.0664}}) {
    double sum = 0.0;
    for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
      sum += std::exp(rule.log_weights[i]) * std::pow(rule.nodes[i], power);
    }
    EXPECT_NEAR(sum / std::sqrt(std::numbers::pi), expected, 1e-8 * expected) << power;
  }
}

// y ~ normal(z, 1), z ~ normal(mu, exp(t)): y is normal with variance 1 + exp(2 t).
TEST(MarginalRecord, IsExactForGaussians) {
  const Joint model(2, 1, 1, [](Expression theta, Expression y, Expression z) {
    return normal(z, theta[0], exp(theta[1])) + normal(y, z, y.with(1.0));
  });
  for (const double y : {-3.0, 0.4, 250.0}) {
    const std::vector<double> theta = {0.3, -0.7}, record = {y};
    const double variance = 1.0 + std::exp(2.0 * theta[1]);
    const double rest = y - theta[0];
    const ReferenceGradient found = model.at(theta, record);
    EXPECT_NEAR(found.value,
                -0.5 * rest * rest / variance - 0.5 * std::log(variance) - 0.5 * kLogTwoPi,
                1e-9 * (1.0 + rest * rest));
    EXPECT_NEAR(found.gradient[0], rest / variance, 1e-9 * (1.0 + std::abs(rest)));
    const double by_scale = (rest * rest / variance - 1.0) * std::exp(2.0 * theta[1]) / variance;
    EXPECT_NEAR(found.gradient[1], by_scale, 1e-9 * (1.0 + std::abs(by_scale)));
  }
}

// Five binary outcomes with a random intercept, centred and not centred.
TEST(MarginalRecord, OfLogisticRandomInterceptsAgreesWithAGrid) {
  const auto outcomes = [](Expression y, Expression intercept) {
    Expression total = y.with(0.0);
    for (int i = 0; i < 5; ++i) {
      total = total + apply(Op::log_inv_logit, (2.0 * y[i] - 1.0) * intercept);
    }
    return total;
  };
  const Joint centred(2, 5, 1, [&](Expression theta, Expression y, Expression z) {
    return normal(z, theta[0], exp(theta[1])) + outcomes(y, z);
  });
  const Joint scaled(2, 5, 1, [&](Expression theta, Expression y, Expression z) {
    return normal(z, z.with(0.0), z.with(1.0)) + outcomes(y, theta[0] + exp(theta[1]) * z);
  });
  for (const std::vector<double>& y :
       {std::vector<double>{1, 1, 1, 1, 1}, {0, 1, 0, 0, 1}, {0, 0, 0, 0, 0}}) {
    for (const double log_scale : {-1.0, 0.0, 0.7}) {
      const std::vector<double> theta = {-0.4, log_scale};
      const double expected = scaled.by_grid(theta, y, -12.0, 12.0);
      EXPECT_NEAR(scaled.at(theta, y).value, expected, 1e-5);
      EXPECT_NEAR(centred.at(theta, y).value, expected, 1e-5);
      expect_own_derivative(scaled, theta, y, 1e-5);
      expect_own_derivative(centred, theta, y, 1e-5);
    }
  }
}

// From zero, the first Newton step for a large count leads to an infinite mean.
TEST(MarginalRecord, FindsModesOfLargeCounts) {
  const Joint model(2, 1, 1, [](Expression theta, Expression y, Expression z) {
    const Expression eta = theta[0] + exp(theta[1]) * z;
    return normal(z, z.with(0.0), z.with(1.0)) + y * eta - exp(eta) - lgamma(y + 1.0);
  });
  for (const double y : {0.0, 3.0, 400.0, 4000.0}) {
    const std::vector<double> theta = {1.0, 1.1}, record = {y};
    EXPECT_NEAR(model.at(theta, record).value, model.by_grid(theta, record, -12.0, 12.0), 1e-3)
        << y;
    expect_own_derivative(model, theta, record, 1e-4);
  }
}

// Correlated intercept and slope, exactly Gaussian: the covariance of y is known.
TEST(MarginalRecord, OfTwoAndThreeLatentVariablesIsExactForGaussians) {
  const auto noise = [](Expression rest) { return normal(rest, rest.with(0.0), rest.with(0.5)); };
  const Joint two(2, 2, 2, [&](Expression theta, Expression y, Expression z) {
    const Expression slope = exp(theta[1]) * (0.6 * z[0] + 0.8 * z[1]);
    return normal(z[0], z.with(0.0), z.with(1.0)) + normal(z[1], z.with(0.0), z.with(1.0)) +
           noise(y[0] - theta[0] - z[0]) + noise(y[1] - theta[0] - z[0] - 2.0 * slope);
  });
  const Joint three(2, 2, 3, [&](Expression theta, Expression y, Expression z) {
    const Expression slope = exp(theta[1]) * (0.6 * z[0] + 0.8 * z[1]);
    return normal(z[0], z.with(0.0), z.with(1.0)) + normal(z[1], z.with(0.0), z.with(1.0)) +
           normal(z[2], z.with(0.0), z.with(2.0)) + noise(y[0] - theta[0] - z[0]) +
           noise(y[1] - theta[0] - z[0] - 2.0 * slope);
  });
  const std::vector<double> theta = {0.2, 0.3}, y = {1.4, -2.0};
  const double tau = std::exp(theta[1]);
  const double v00 = 1.25;
  const double v01 = 1.0 + 2.0 * tau * 0.6;
  const double v11 = 1.25 + 4.0 * tau * 0.6 + 4.0 * tau * tau;
  const double determinant = v00 * v11 - v01 * v01;
  const double a = y[0] - theta[0];
  const double b = y[1] - theta[0];
  const double form = (v11 * a * a - 2.0 * v01 * a * b + v00 * b * b) / determinant;
  const double expected = -0.5 * form - 0.5 * std::log(determinant) - kLogTwoPi;
  EXPECT_NEAR(two.at(theta, y).value, expected, 1e-8);
  EXPECT_NEAR(three.at(theta, y).value, expected, 1e-8);
  expect_own_derivative(two, theta, y, 1e-6);
  expect_own_derivative(three, theta, y, 1e-6);
}

// The derivative of Laplace's method includes that of the curvature and of the mode.
TEST(MarginalRecord, GradientOfLaplacesMethodIsItsDerivative) {
  const Joint model(2, 3, 3, [](Expression theta, Expression y, Expression z) {
    Expression total = y.with(0.0);
    for (int i = 0; i < 3; ++i) {
      const Expression eta = theta[0] + z[i] + 0.5 * z[(i + 1) % 3];
      total = total + normal(z[i], z.with(0.0), exp(theta[1])) + y[i] * eta - exp(eta);
    }
    return total;
  });
  const std::vector<double> y = {0.0, 4.0, 9.0};
  expect_own_derivative(model, {0.4, -0.2}, y, 1e-5);
}

// Heavy tails and several modes: the search may stop anywhere, but never at a worse point.
TEST(MarginalRecord, OfRecordsFarFromTheModelIsFiniteOrNotCounted) {
  const Joint model(1, 1, 1, [](Expression theta, Expression y, Expression z) {
    return -2.5 * apply(Op::log1p, square(z - theta[0]) / 4.0) -
           2.5 * apply(Op::log1p, square(y - z) / 0.04);
  });
  for (const double y : {0.0, 1.0, 5.0, 1e3, 1e8, 1e300}) {
    const std::vector<double> theta = {0.5}, record = {y};
    const ReferenceGradient found = model.at(theta, record);
    EXPECT_FALSE(std::isinf(found.value) && found.value > 0.0) << y;
    if (std::isfinite(found.value)) {
      EXPECT_TRUE(std::isfinite(found.gradient[0])) << y;
    }
  }
  const std::vector<double> theta = {0.5};
  const std::vector<double> hostile = {std::numeric_limits<double>::quiet_NaN()};
  EXPECT_TRUE(std::isnan(model.at(theta, hostile).value));
}

TEST(MarginalRecord, NeedsKnownSecondDerivatives) {
  EXPECT_THROW(Joint(1, 1, 1,
                     [](Expression theta, Expression y, Expression z) {
                       return normal(z, theta, z.with(1.0)) + apply(Op::trigamma, y + exp(z));
                     }),
               NoDerivative);
}

}  // namespace
}  // namespace dpvi
