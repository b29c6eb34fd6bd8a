#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <dpvi/base/nearest_name.hpp>

namespace dpvi {
namespace {

const std::vector<std::string> kNames = {"epsilon", "delta", "steps", "sampling-rate"};

TEST(NearestName, FindsTheSlip) {
  EXPECT_EQ(nearest_name("epsilno", kNames), "epsilon");
  EXPECT_EQ(nearest_name("step", kNames), "steps");
  EXPECT_EQ(nearest_name("samplingrate", kNames), "sampling-rate");
}

TEST(NearestName, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("frobnicate", kNames), std::nullopt);
  EXPECT_EQ(nearest_name("", kNames), std::nullopt);
  EXPECT_EQ(nearest_name(std::string(100000, 'x'), kNames), std::nullopt);
}

}  // namespace
}  // namespace dpvi
