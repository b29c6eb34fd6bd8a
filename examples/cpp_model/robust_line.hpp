#pragma once

#include <cmath>
#include <numbers>

#include <dpvi/model/recorded_function.hpp>

// A line with Student's t errors: y ~ student_t(4, alpha + beta * x, sigma), sigma > 0.
// Parameters: alpha, beta, log sigma. Record columns: x, y.
namespace robust_line {

inline constexpr dpvi::ModelShape kShape{.parameters = 3, .reals = 2};
inline constexpr double kFreedom = 4.0;

inline dpvi::Expression log_density(dpvi::Expression theta, dpvi::Expression record,
                                    dpvi::Expression) {
  const dpvi::Expression mean = theta[0] + theta[1] * record[0];
  const dpvi::Expression z = (record[1] - mean) / exp(theta[2]);
  const double constant = std::lgamma(0.5 * (kFreedom + 1)) - std::lgamma(0.5 * kFreedom) -
                          0.5 * std::log(kFreedom * std::numbers::pi);
  return constant - theta[2] - 0.5 * (kFreedom + 1) * log1p(square(z) / kFreedom);
}

// normal(0, 2) for alpha and beta, and sigma ~ exponential(1) with the Jacobian of its logarithm.
inline dpvi::Expression log_prior(dpvi::Expression theta) {
  const double normal = -std::log(2.0) - 0.5 * std::log(2.0 * std::numbers::pi);
  return 2.0 * normal - (square(theta[0]) + square(theta[1])) / 8.0 - exp(theta[2]) + theta[2];
}

}  // namespace robust_line
