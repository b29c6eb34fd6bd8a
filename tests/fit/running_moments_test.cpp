#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <dpvi/fit/numerics/running_moments.hpp>

namespace dpvi {
namespace {

TEST(RunningMoments, StandardDeviationsAreThoseOfAllVectors) {
  RunningMoments moments;
  for (const double x : {1.0, 2.0, 4.0, 9.0}) moments.add(std::vector<double>{x, 1e9 + x, 3.0});
  const std::vector<double> sds = moments.standard_deviations();
  EXPECT_NEAR(sds[0], std::sqrt(38.0 / 3.0), 1e-14);
  EXPECT_NEAR(sds[1], std::sqrt(38.0 / 3.0), 1e-6);
  EXPECT_EQ(sds[2], 0.0);
}

TEST(RunningMoments, OneVectorTellsNothing) {
  RunningMoments moments;
  moments.add(std::vector<double>{1.0});
  EXPECT_TRUE(std::isnan(moments.standard_deviations()[0]));
}

TEST(RunningMoments, AValueThatIsNotFiniteIsNotForgotten) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    RunningMoments moments;
    for (const double x : {1.0, bad, 2.0, 3.0}) moments.add(std::vector<double>{x, 1.0});
    EXPECT_TRUE(std::isnan(moments.standard_deviations()[0]));
    EXPECT_EQ(moments.standard_deviations()[1], 0.0);
  }
}

}  // namespace
}  // namespace dpvi
