#include <gtest/gtest.h>

#include <cmath>

#include <dpvi/experiment/mixture_table.hpp>

namespace dpvi {
namespace {

TEST(MixtureTable, IsTheSameForTheSameSeedAndAnotherForAnother) {
  const MixtureData data{.training_rows = 20, .test_rows = 5, .variance = 0.5, .seed = 1};
  MixtureData other = data;
  other.seed = 2;
  EXPECT_EQ(mixture_table(data).rows, mixture_table(data).rows);
  EXPECT_NE(mixture_table(data).rows, mixture_table(other).rows);
  EXPECT_EQ(mixture_table(data).rows.size(), 25u);
  EXPECT_EQ(mixture_table(data).training_rows, 20u);
}

// Each coordinate has mean zero and variance v + 4 * 4 / 5.
TEST(MixtureTable, HasTheMomentsOfFiveRoundGaussians) {
  const MixtureData data{.training_rows = 40000, .test_rows = 1, .variance = 0.5, .seed = 3};
  const ExperimentTable table = mixture_table(data);
  for (const std::size_t column : {0u, 1u}) {
    double mean = 0.0, square = 0.0;
    for (const auto& row : table.rows) {
      mean += std::stod(row[column]) / 40001.0;
      square += std::stod(row[column]) * std::stod(row[column]) / 40001.0;
    }
    EXPECT_NEAR(mean, 0.0, 4.0 * std::sqrt(3.7 / 40000.0));
    EXPECT_NEAR(square, 3.7, 4.0 * std::sqrt(11.0 / 40000.0));
  }
}

// The value reported elsewhere for the published code's data is -3.654. The log density of one
// point has a standard deviation of about 1.
TEST(MixtureTable, LogDensityOfTheTruthIsThePublishedOne) {
  const MixtureData data{.training_rows = 1, .test_rows = 40000, .variance = 0.5, .seed = 4};
  EXPECT_NEAR(true_log_density(mixture_table(data), 0.5), -3.654, 4.0 / std::sqrt(40000.0));
}

}  // namespace
}  // namespace dpvi
