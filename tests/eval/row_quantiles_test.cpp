#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <dpvi/eval/draw_summary.hpp>
#include <dpvi/eval/row_quantiles.hpp>

namespace dpvi {
namespace {

// Between an infinite number and another one there is no number.
void expect_same(double found, double expected) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(found)) << found;
  } else {
    EXPECT_EQ(found, expected);
  }
}

void expect_those_of_sorted(std::vector<double> numbers) {
  std::vector<double> sorted = numbers;
  std::ranges::sort(sorted);
  const RowQuantiles found = row_quantiles(numbers);
  expect_same(found.q5, quantile(sorted, 0.05));
  expect_same(found.q95, quantile(sorted, 0.95));
  std::ranges::sort(numbers);
  EXPECT_EQ(numbers, sorted) << "a number was lost";
}

template <class Draw>
void expect_for_all_lengths(const Draw& draw) {
  for (const std::size_t length : {1u, 2u, 20u, 21u, 63u, 64u, 65u, 100u, 101u, 999u, 1000u}) {
    std::vector<double> numbers(length);
    std::ranges::generate(numbers, draw);
    expect_those_of_sorted(std::move(numbers));
  }
}

TEST(RowQuantiles, AreThoseOfSortedNumbers) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  expect_for_all_lengths([&] { return normal(generator); });
  expect_for_all_lengths([&] { return std::exp(20.0 * normal(generator)); });
  expect_for_all_lengths([&] { return 1e300 * normal(generator); });
  expect_for_all_lengths([&] { return 1e-310 * normal(generator); });
  expect_for_all_lengths([&] { return std::floor(normal(generator)); });
  expect_for_all_lengths([&] { return 4.0; });
}

TEST(RowQuantiles, InfiniteNumbersHaveTheirPlace) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::mt19937_64 generator(2);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  expect_for_all_lengths([&] {
    const double number = uniform(generator);
    return number > 0.9 ? kInfinity : number;
  });
  expect_for_all_lengths([&] {
    const double number = uniform(generator);
    return number < -0.8 ? -kInfinity : number;
  });
}

TEST(RowQuantiles, OutliersLeaveTheOthersInOneBin) {
  std::mt19937_64 generator(3);
  std::normal_distribution<double> normal;
  std::vector<double> numbers(1000);
  std::ranges::generate(numbers, [&] { return normal(generator); });
  numbers[17] = 1e12;
  expect_those_of_sorted(numbers);
  numbers[18] = -1e200;
  expect_those_of_sorted(numbers);
}

}  // namespace
}  // namespace dpvi
