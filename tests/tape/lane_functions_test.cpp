#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include <dpvi/tape/math/scalar_functions.hpp>
#include <tests/tape/every_backend.hpp>
#include <tests/tape/function_cases.hpp>
#include <tests/tape/function_oracle.hpp>
#include <tests/tape/tape_runner.hpp>

namespace dpvi {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// One operation on lane values: its argument is the record times a parameter equal to 1.
class LaneFunction {
 public:
  LaneFunction(Op op, BackendKind backend) : runner_(graph_, root(op), 1, backend) {}

  struct Result {
    double value;
    double slope;
  };

  std::vector<Result> evaluate(const std::vector<double>& points) {
    std::vector<Result> results;
    for (std::size_t first = 0; first < points.size(); first += kLanes) {
      const std::size_t last = std::min(points.size(), first + kLanes);
      std::vector<TestRecord> records;
      for (std::size_t i = first; i < last; ++i) records.push_back({{points[i]}, {}});
      const LaneResults lanes = runner_.run({1.0}, records);
      for (std::size_t l = 0; l < last - first; ++l) {
        // The derivative with respect to the parameter is the record times the operation's
        // derivative.
        results.push_back({lanes.log_density[l], lanes.gradient[l] / points[first + l]});
      }
    }
    return results;
  }

 private:
  NodeId root(Op op) {
    return builder_.unary(op, builder_.mul(builder_.theta(0), builder_.record_real(0)));
  }
  GraphBuilder builder_;
  const Graph& graph_ = builder_.graph();
  TapeRunner<> runner_;
};

class LaneFunctions : public EveryBackend {};

TEST_P(LaneFunctions, ValuesAndDerivativesAreThoseOfTheFormulas) {
  for (const FunctionCase& function : function_cases()) {
    const auto results = LaneFunction(function.op, GetParam()).evaluate(function.points);
    for (std::size_t i = 0; i < function.points.size(); ++i) {
      const double x = function.points[i];
      EXPECT_LE(units_apart(results[i].value, exact_unary(function.op, x), function.floor),
                function.units)
          << op_name(function.op) << " at " << x << " is " << results[i].value;
      const double expected = is_step(function.op) ? 0.0 : exact_derivative(function.op, x);
      if (x == 0.0 || !std::isfinite(x * expected)) continue;
      EXPECT_NEAR(results[i].slope, expected,
                  function.slope_error * std::fmax(1e-3, std::fabs(expected)))
          << op_name(function.op) << " at " << x;
    }
  }
}

// Numbers of every size: random bits, then random magnitudes around 1.
std::vector<double> numbers_of_all_sizes(int count, bool positive) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> exponent(-40.0, 10.0);
  std::vector<double> points;
  while (static_cast<int>(points.size()) < count) {
    double x = points.size() % 2 == 0
                   ? std::bit_cast<double>(random())
                   : std::ldexp(1.0 + exponent(random) / 100.0, static_cast<int>(exponent(random)));
    if (random() % 2 == 0) x = -x;
    if (positive) x = std::fabs(x);
    if (std::isfinite(x) && x != 0.0) points.push_back(x);
  }
  return points;
}

TEST_P(LaneFunctions, VectorFunctionsErrByFewUnitsInTheLastPlace) {
  struct Bound {
    Op op;
    bool positive;
    double units;
  };
  const Bound bounds[] = {{Op::exp, false, 2.0},           {Op::log, true, 2.0},
                          {Op::log1p, true, 2.0},          {Op::inv_logit, false, 3.0},
                          {Op::log_inv_logit, false, 3.0}, {Op::log1p_exp, false, 3.0}};
  for (const Bound& bound : bounds) {
    const std::vector<double> points = numbers_of_all_sizes(4000, bound.positive);
    const auto results = LaneFunction(bound.op, GetParam()).evaluate(points);
    double worst = 0.0;
    double worst_at = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      // Subnormal results have fewer digits.
      const double floor = std::numeric_limits<double>::min();
      const double units = units_apart(results[i].value, exact_unary(bound.op, points[i]), floor);
      if (units > worst) {
        worst = units;
        worst_at = points[i];
      }
    }
    EXPECT_LE(worst, bound.units) << op_name(bound.op) << " at " << worst_at;
  }
}

// Lanes and scalar code must agree everywhere on which results are NaN or infinite.
TEST_P(LaneFunctions, SpecialValuesAreThoseOfScalarCode) {
  const std::vector<double> points = {
      0.0,    -0.0, 1.0, -1.0,  kInfinity, -kInfinity, kNan,  5e-324, -5e-324, 1e-310, 1e308,
      -1e308, -2.0, 0.5, 709.9, -745.2,    -750.0,     1e-17, 0x1p60, 3.0,     -0.5,   36.7};
  for (int i = static_cast<int>(Op::neg); i <= static_cast<int>(Op::logical_not); ++i) {
    const auto op = static_cast<Op>(i);
    const auto results = LaneFunction(op, GetParam()).evaluate(points);
    for (std::size_t k = 0; k < points.size(); ++k) {
      const double expected = unary_value(op, points[k]);
      const double got = results[k].value;
      const bool same = std::isfinite(expected)
                            ? close(got, expected, 1e-14) && std::isfinite(got)
                            : got == expected || (std::isnan(got) && std::isnan(expected));
      EXPECT_TRUE(same) << op_name(op) << " at " << points[k] << " is " << got << ", not "
                        << expected;
    }
  }
}

TEST_P(LaneFunctions, BinaryOperationsAgreeWithScalarCodeInEverySpace) {
  const std::vector<double> values = {0.0,        1.0,  -1.5,   2.0, kInfinity,
                                      -kInfinity, kNan, 1e-310, 3.0};
  for (int i = static_cast<int>(Op::add); i <= static_cast<int>(Op::logical_or); ++i) {
    const auto op = static_cast<Op>(i);
    // Bit 0: the first argument is uniform instead of lane; bit 1: the second is.
    for (int kinds = 0; kinds < 3; ++kinds) {
      for (const double a : values) {
        GraphBuilder g;
        const NodeId lane = g.mul(g.theta(0), g.record_real(0));
        const NodeId lane_too = g.mul(g.theta(0), g.record_real(1));
        const NodeId root = kinds == 0   ? g.binary(op, lane, lane_too)
                            : kinds == 1 ? g.binary(op, g.theta(1), lane_too)
                                         : g.binary(op, lane_too, g.theta(1));
        TapeRunner runner(g.graph(), root, 2, GetParam());
        std::vector<TestRecord> records;
        for (const double b : values) records.push_back({{a, b}, {}});
        const LaneResults results = runner.run({1.0, a}, records);
        for (std::size_t l = 0; l < values.size(); ++l) {
          const double b = values[l];
          double expected = kinds == 2 ? binary_value(op, b, a) : binary_value(op, a, b);
          // A uniform divisor is inverted once per draw.
          if (op == Op::div && kinds == 2) expected = b * (1.0 / a);
          EXPECT_TRUE(close(results.log_density[l], expected, 1e-14))
              << op_name(op) << "(" << a << ", " << b << ") kinds " << kinds;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, LaneFunctions, kEveryBackend, name_of_backend);

}  // namespace
}  // namespace dpvi
