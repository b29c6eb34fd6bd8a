#pragma once

#include <vector>

#include <dpvi/tape/math/op.hpp>

namespace dpvi {

// Points at which a unary operation is compared with its formula, and the tolerances.
struct FunctionCase {
  Op op;
  std::vector<double> points;
  double units = 4.0;          // units in the last place
  double floor = 0.0;          // values below this are compared as if they were this large
  double slope_error = 1e-13;  // relative
};

inline std::vector<FunctionCase> function_cases() {
  const std::vector<double> any = {-30.0, -5.5, -1.0, -0.3, -1e-5, 1e-9, 0.2, 0.75, 1.0, 3.3, 25.0};
  const std::vector<double> wide = {-700.0, -36.0, -5.5, -0.7, -1e-9, 1e-20, 1e-5,
                                    0.4,    0.5,   2.0,  17.0, 40.0,  300.0, 700.0};
  const std::vector<double> positive = {1e-300, 1e-10, 0.1, 0.5, 0.7, 0.99,
                                        1.01,   1.5,   2.0, 7.7, 1e5, 1e300};
  const std::vector<double> counts = {1e-8, 0.1, 0.5, 0.9, 1.2, 1.9, 2.3, 5.0, 50.5, 1e4, 1e9};
  const std::vector<double> unit = {1e-12, 0.01, 0.3, 0.5, 0.51, 0.9, 0.999999};
  const std::vector<double> inside = {-0.99, -0.5, -1e-7, 0.2, 0.7, 0.999};
  const std::vector<double> above_minus_one = {-0.9999, -0.5, -1e-9, 1e-18, 1e-9,
                                               0.3,     1.0,  5.0,   1e10};
  const std::vector<double> below_one = {-1e10, -5.0, -0.3, -1e-9, 1e-18, 1e-9, 0.5, 0.9999};
  const std::vector<double> negative = {-700.0, -40.0, -5.0, -0.7, -0.69, -0.1, -1e-9};
  const std::vector<double> normal = {-38.0, -20.0, -6.01, -5.99, -2.0, -0.1, 0.1, 1.0, 5.0, 9.0};
  const std::vector<double> bessel = {1e-4, 0.5, 3.0, 20.0, 120.0, 499.0, 501.0, 900.0};
  return {
      {Op::neg, any},
      {Op::exp, wide},
      {Op::log, positive},
      {Op::log1p, above_minus_one},
      {Op::log1m, below_one},
      {Op::expm1, any},
      {Op::sqrt, positive},
      {Op::square, any},
      {Op::inv, any},
      {Op::fabs, any},
      {Op::sin, any},
      {Op::cos, any},
      {Op::tan, any},
      {Op::asin, inside},
      {Op::acos, inside},
      {Op::atan, any},
      {Op::sinh, any},
      {Op::cosh, any},
      {Op::tanh, any},
      {Op::inv_logit, wide},
      {Op::logit, unit, 4.0, 1.0},
      {Op::log_inv_logit, wide},
      {Op::log1p_exp, wide},
      {Op::log1m_exp, negative},
      {Op::lgamma, counts, 4.0, 1.0},
      {Op::digamma, counts, 8.0, 1.0},
      {Op::trigamma, counts, 8.0, 0.0, 1e-11},
      {Op::phi,
       {-8.0, -2.0, -0.1, 0.1, 1.0, 5.0, 9.0},
       80.0},  // x^2 units, from rounding x / sqrt(2)
      {Op::log_phi, normal, 20.0, 0.0, 1e-12},
      {Op::log_bessel_i0, bessel, 8.0, 1.0, 1e-10},
      {Op::floor, {-2.5, -2.0, -0.1, 0.0, 0.1, 7.9}},
  };
}

}  // namespace dpvi
