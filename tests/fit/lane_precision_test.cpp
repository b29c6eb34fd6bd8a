#include <gtest/gtest.h>

#include <dpvi/fit/plan/lane_precision.hpp>
#include <tests/support/bound_program.hpp>

namespace dpvi {
namespace {

TEST(LanePrecision, IsSingleForOrdinaryModels) {
  for (const char* program : {kLogisticProgram, kMeanProgram}) {
    const BoundProgram bound = bind_program(program);
    EXPECT_EQ(choose_lane_precision(bound.model, bound.binding), Precision::single_precision);
  }
}

// Seconds since 1970 have ten digits, and their differences are below the resolution of a float.
TEST(LanePrecision, IsDoubleWhereRoundingWouldShow) {
  const BoundProgram bound = bind_program(R"(
data { int N; vector[N] seconds; }
parameters { real<offset=1.6e9, multiplier=100> mu; }
model { seconds ~ normal(mu, 100); }
)",
                                          "[columns.seconds]\nmean = 1.6e9\nsd = 100\n");
  EXPECT_EQ(choose_lane_precision(bound.model, bound.binding), Precision::double_precision);
}

}  // namespace
}  // namespace dpvi
