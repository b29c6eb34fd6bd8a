#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <dpvi/random/internal/gaussian_draw.hpp>
#include <dpvi/random/seeded_generator.hpp>
#include <dpvi/random/standard_normal.hpp>

namespace dpvi {
namespace {

TEST(StandardNormal, IsTheMiddleOfTheCellOfTheDraw) {
  const SeededGenerator generator(3);
  SeededStream draws = generator.stream({StreamLabel::variational_draw, 1, 0});
  SeededStream cells = generator.stream({StreamLabel::variational_draw, 1, 0});
  for (int i = 0; i < 1000; ++i) {
    const GaussianDraw cell = draw_gaussian(cells);
    const double z = standard_normal(draws);
    ASSERT_EQ(std::signbit(z), cell.negative);
    ASSERT_EQ(std::abs(z) * 0x1p25, static_cast<double>(cell.magnitude) + 0.5);
  }
}

// Pinned, so that published non-private results can be reproduced later and on other machines.
TEST(StandardNormal, SeededDrawsNeverChange) {
  SeededStream stream = SeededGenerator(3).stream({StreamLabel::variational_draw, 1, 0});
  std::vector<double> draws(4);
  fill_standard_normal(stream, draws);
  EXPECT_EQ(draws,
            (std::vector<double>{0x1.4f217ep-3, -0x1.521fa4p-4, 0x1.67fd1fp-2, -0x1.f668d2p-3}));
}

// The moments are within 5 standard errors.
TEST(StandardNormal, HasMeanZeroAndVarianceOne) {
  constexpr int kDraws = 4'000'000;
  SeededStream stream = SeededGenerator(4).stream({StreamLabel::variational_draw, 0, 0});
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double z = standard_normal(stream);
    sum += z;
    squares += z * z;
  }
  EXPECT_NEAR(sum / kDraws, 0, 5 * std::sqrt(1.0 / kDraws));
  EXPECT_NEAR(squares / kDraws, 1, 5 * std::sqrt(2.0 / kDraws));
}

}  // namespace
}  // namespace dpvi
