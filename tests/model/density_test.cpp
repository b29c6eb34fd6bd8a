#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include <tests/model/density_call.hpp>

namespace dpvi {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kValueTolerance = 1e-10;

// Stan approximates some derivatives. Those of the normal distribution function come from piecewise
// polynomials, accurate to 1e-7 and far out to 1e-4. The series for the incomplete gamma function
// by its shape stops at about 1e-3, and that for the beta negative binomial at 1e-5. tests/tape
// compares these derivatives with 400-bit arithmetic. Stan's series for first passage times stop at
// 1e-6 of the density's scale.
double gradient_tolerance(const std::string& function) {
  static const std::set<std::string> kApproximate = {
      "normal_lcdf", "std_normal_lcdf", "ordered_probit_lpmf", "beta_neg_binomial_lcdf",
      "beta_neg_binomial_lccdf"};
  static const std::set<std::string> kByShape = {"gamma", "inv_gamma", "chi_square",
                                                 "inv_chi_square", "scaled_inv_chi_square"};
  if (function == "wiener_lpdf") return 1e-7;
  if (kByShape.contains(function.substr(0, function.rfind('_')))) {
    return function.ends_with("cdf") ? 1e-3 : 1e-10;
  }
  return kApproximate.contains(function) ? 1e-4 : 1e-10;
}

std::string describe(const nlohmann::json& golden) {
  std::string text = golden.at("function").get<std::string>() + "(";
  for (const auto& argument : golden.at("arguments")) text += argument.at("values").dump() + " ";
  return text + ")";
}

double stan_value(const nlohmann::json& golden) {
  return golden.contains("throws") ? std::nan("") : golden_number(golden.at("value"));
}

bool is_tail(const std::string& function) {
  return function.ends_with("_lcdf") || function.ends_with("_lccdf");
}

void expect_stan(const nlohmann::json& golden, Places places) {
  const std::string what = describe(golden);
  const DensityCall call(golden, places);
  const ReferenceGradient result = call.at(call.theta());
  const double expected = stan_value(golden);
  if (expected == -kInfinity && std::isfinite(result.value) && is_tail(golden.at("function"))) {
    // Stan takes the logarithm of a difference that has underflowed to 0; this value stays finite.
    EXPECT_LT(result.value, -36.0) << what;
    return;
  }
  expect_close(result.value, expected, kValueTolerance, what);
  if (!std::isfinite(expected)) return;
  const std::vector<double> gradient = golden_numbers(golden.at("gradient"));
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    if (std::isnan(gradient[i])) {
      // At a limit Stan divides 0 by 0, although the derivative exists.
      EXPECT_TRUE(std::isfinite(result.gradient[i])) << what;
      continue;
    }
    expect_close(result.gradient[i], gradient[i], gradient_tolerance(golden.at("function")),
                 what + " gradient " + std::to_string(i));
  }
}

TEST(Density, ValuesAndGradientsAreStansWhereDataAreKnown) {
  for (const auto& golden : golden_cases("densities.json")) {
    expect_stan(golden, Places::data_constant);
  }
}

TEST(Density, ValuesAndGradientsAreStansWhereDataComeFromTheRecord) {
  for (const auto& golden : golden_cases("densities.json")) {
    expect_stan(golden, Places::data_recorded);
  }
}

bool has_infinite_parameter(const DensityCall& call) {
  return std::ranges::any_of(call.theta(), [](double value) { return std::isinf(value); });
}

TEST(Density, ValuesAndGradientsAreStansWhereParametersVaryByRecord) {
  for (const auto& golden : golden_cases("densities.json")) {
    const DensityCall call(golden, Places::all_lane);
    if (!has_infinite_parameter(call)) {
      expect_stan(golden, Places::all_lane);
      continue;
    }
    // As stated in stan_functions.hpp, an infinite location in a lane gives Stan's value or a
    // non-finite one.
    const double value = call.at(call.theta()).value;
    if (std::isfinite(value)) expect_close(value, stan_value(golden), 1e-10, describe(golden));
  }
}

TEST(Density, EveryFunctionIsComparedWithStan) {
  std::set<std::string> compared;
  for (const auto& golden : golden_cases("densities.json")) {
    if (!golden.contains("throws")) compared.insert(golden.at("function").get<std::string>());
  }
  for (const auto& [name, function] : stan_functions().all()) {
    EXPECT_TRUE(compared.contains(name)) << name;
  }
}

// One series is used for times below the squared boundary separation, another above it.
TEST(Density, SeriesOfFirstPassageTimesMeet) {
  const auto log_density = [](double time) {
    nlohmann::json call = {{"function", "wiener_lpdf"}, {"arguments", nlohmann::json::array()}};
    const auto add = [&](const char* kind, double value) {
      call["arguments"].push_back(
          {{"kind", kind}, {"values", {value}}, {"rows", 1}, {"columns", 1}});
    };
    add("real", time);
    for (const double value : {1.0, 0.5, 0.3, 0.8}) add("theta", value);
    const DensityCall made(call, Places::data_recorded);
    return made.at(made.theta());
  };
  const ReferenceGradient before = log_density(1.5 - 1e-12);
  const ReferenceGradient behind = log_density(1.5 + 1e-12);
  EXPECT_NEAR(before.value, behind.value, 1e-10);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(before.gradient[i], behind.gradient[i], 1e-9);
}

// Fourth-order central difference along a random direction.
double slope(const DensityCall& call, const std::vector<double>& theta,
             const std::vector<double>& direction) {
  const double h = 3e-4;
  const auto value = [&](double step) {
    std::vector<double> moved = theta;
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += step * direction[i];
    return call.at(moved).value;
  };
  return (8.0 * (value(h) - value(-h)) - (value(2.0 * h) - value(-2.0 * h))) / (12.0 * h);
}

TEST(Density, GradientsAreSlopesAtRandomParameters) {
  std::mt19937_64 generator(20240611);
  std::normal_distribution<double> normal;
  int compared = 0;
  for (const auto& golden : golden_cases("densities.json")) {
    const DensityCall call(golden, Places::data_recorded);
    std::vector<double> theta = call.theta();
    for (double& value : theta) value *= std::exp(0.1 * normal(generator));
    std::vector<double> direction(theta.size());
    for (double& value : direction) value = normal(generator);
    for (std::size_t i = 0; i < theta.size(); ++i) {
      direction[i] *= std::min(1.0, 0.1 * std::fabs(theta[i]));
    }
    const ReferenceGradient result = call.at(theta);
    const double numerical = slope(call, theta, direction);
    if (!std::isfinite(result.value) || !std::isfinite(numerical)) continue;
    double directional = 0.0;
    for (std::size_t i = 0; i < theta.size(); ++i) directional += result.gradient[i] * direction[i];
    EXPECT_NEAR(directional, numerical, 1e-7 * (1.0 + std::fabs(result.value))) << describe(golden);
    ++compared;
  }
  EXPECT_GT(compared, 200);
}

}  // namespace
}  // namespace dpvi
