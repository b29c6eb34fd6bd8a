#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include <tests/support/attacked_loop.hpp>

// Measures the noise of the production loop: all records have zero gradients, so releases are
// noise.

namespace dpvi {
namespace {

using Releases = std::vector<std::vector<double>>;

constexpr double kStandardErrors = 5.0;
constexpr std::size_t kCoordinates = 200;
constexpr double kNoise = 2.0;

// Noise is in units of the stated standard deviation and includes the clip coordinate.
Releases noise_of_run(std::size_t records, int threads, std::uint64_t key) {
  const AttackedLoop loop(kCoordinates);
  const Gradients zeros(records, std::vector<double>(kCoordinates, 0.0));
  const AttackedRun run{.sampling_rate = 0.3,
                        .grid = NoiseGrid(kNoise),
                        .steps = 250,
                        .threads = threads,
                        .key = key};
  Releases releases = loop.releases(loop.table(zeros), run);
  for (auto& step : releases) {
    for (double& value : step) value /= kNoise;
  }
  return releases;
}

double inner_product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Guarantee: each call of take() is one Poisson-sampled Gaussian step with the sampling rate and
// the noise multiplier of its phase. This test checks the noise.
// With 50 000 draws, 5 % less noise is 15 standard errors away, and 2 % less is 6.
TEST(ReleasedNoise, HasTheStatedSizeInEveryStepAndCoordinate) {
  // With no records every batch is empty; with 3 records at rate 0.3, one batch in three is.
  for (const std::size_t records : {0u, 3u, 40u}) {
    for (const int threads : {1, 3}) {
      const Releases noise = noise_of_run(records, threads, 21 + records);
      double all = 0.0;
      std::vector<double> of_coordinate(kCoordinates, 0.0);
      for (const auto& step : noise) {
        const double squares = inner_product(step, step);
        constexpr double kDraws = kCoordinates;
        // The statistic is chi-square. The tolerance is wider because several hundred steps are
        // tested.
        EXPECT_LT(std::fabs(squares - kDraws), (kStandardErrors + 1.5) * std::sqrt(2.0 * kDraws));
        all += squares;
        for (std::size_t j = 0; j < kCoordinates; ++j) of_coordinate[j] += step[j] * step[j];
      }
      const double steps = static_cast<double>(noise.size()), draws = steps * kCoordinates;
      EXPECT_LT(std::fabs(all - draws), kStandardErrors * std::sqrt(2.0 * draws))
          << records << " records, " << threads << " threads";
      for (std::size_t j = 0; j < kCoordinates; ++j) {
        EXPECT_LT(std::fabs(of_coordinate[j] - steps),
                  (kStandardErrors + 1.5) * std::sqrt(2.0 * steps))
            << "coordinate " << j;
      }
    }
  }
}

TEST(ReleasedNoise, IsIndependentBetweenSteps) {
  const Releases noise = noise_of_run(3, 1, 31);
  for (std::size_t lag = 1; lag < noise.size(); ++lag) {
    double sum = 0.0, terms = 0.0;
    for (std::size_t t = lag; t < noise.size(); ++t) {
      sum += inner_product(noise[t], noise[t - lag]);
      terms += kCoordinates;
    }
    ASSERT_LT(std::fabs(sum), (kStandardErrors + 0.5) * std::sqrt(terms))
        << "steps " << lag << " apart";
  }
}

TEST(ReleasedNoise, IsIndependentBetweenCoordinates) {
  const Releases noise = noise_of_run(3, 1, 32);
  for (std::size_t lag = 1; lag < kCoordinates; ++lag) {
    double sum = 0.0, terms = 0.0;
    for (const auto& step : noise) {
      for (std::size_t j = lag; j < kCoordinates; ++j) sum += step[j] * step[j - lag];
      terms += static_cast<double>(kCoordinates - lag);
    }
    ASSERT_LT(std::fabs(sum), (kStandardErrors + 0.5) * std::sqrt(terms))
        << "coordinates " << lag << " apart";
  }
}

TEST(ReleasedNoise, OfTwoRunsIsIndependent) {
  const Releases one = noise_of_run(3, 1, 33), other = noise_of_run(3, 1, 34);
  double sum = 0.0;
  for (std::size_t t = 0; t < one.size(); ++t) sum += inner_product(one[t], other[t]);
  EXPECT_LT(std::fabs(sum),
            kStandardErrors * std::sqrt(static_cast<double>(one.size() * kCoordinates)));
}

// The clip coordinate gets its own noise, as large as that of any other coordinate.
TEST(ReleasedNoise, CoversTheClipCoordinate) {
  const AttackedLoop loop(2);
  const AttackedRun run{.sampling_rate = 0.3,
                        .grid = NoiseGrid(kNoise),
                        .steps = 2000,
                        .coordinate = ClipCoordinate{.size = 0.25, .unshortened_share = 0.9},
                        .key = 35};
  double squares = 0.0;
  for (const auto& step : loop.releases(loop.table({}), run)) {
    ASSERT_EQ(step.size(), 3u);
    squares += step[2] * step[2] / (kNoise * kNoise);
  }
  EXPECT_LT(std::fabs(squares - 2000.0), kStandardErrors * std::sqrt(2.0 * 2000.0));
}

}  // namespace
}  // namespace dpvi
