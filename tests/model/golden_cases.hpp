#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <tests/support/source_folder.hpp>

namespace dpvi {

// Reads values computed by Stan (tests/model/golden/regenerate.py).

inline double golden_number(const nlohmann::json& value) {
  if (value.is_number()) return value.get<double>();
  const auto text = value.get<std::string>();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  return text == "Inf" ? std::numeric_limits<double>::infinity()
                       : -std::numeric_limits<double>::infinity();
}

// Flattens a nested list, in order.
inline std::vector<double> golden_numbers(const nlohmann::json& values) {
  if (!values.is_array()) return {golden_number(values)};
  std::vector<double> numbers;
  for (const auto& value : values) {
    const std::vector<double> inner = golden_numbers(value);
    numbers.insert(numbers.end(), inner.begin(), inner.end());
  }
  return numbers;
}

inline nlohmann::json golden_cases(const std::string& name) {
  const auto path = tests_folder() / "model/golden" / name;
  std::ifstream stream(path);
  return nlohmann::json::parse(stream).at("cases");
}

// Equal up to `tolerance` relative to 1 + |expected|. Infinities must agree, and NaN must match
// NaN.
inline void expect_close(double actual, double expected, double tolerance,
                         const std::string& what) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(actual)) << what << ": " << actual << " is not NaN";
  } else if (std::isinf(expected)) {
    EXPECT_EQ(actual, expected) << what;
  } else {
    EXPECT_NEAR(actual, expected, tolerance * (1.0 + std::fabs(expected))) << what;
  }
}

}  // namespace dpvi
