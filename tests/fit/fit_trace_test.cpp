#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <dpvi/fit/train/fit_trace.hpp>

namespace dpvi {
namespace {

FitTrace trace_with(double (*iterate)(int)) {
  IterateTrace locations(1000, 1.0, 1);
  for (int t = 0; t < 1000; ++t) locations.add(std::vector<double>{iterate(t)});
  const std::vector<double> result = {0.0, 0.0};
  return trace_of(locations, result, {}, [](std::span<const double> theta) {
    return std::vector<double>{theta[0], std::exp(theta[0])};
  });
}

TEST(FitTrace, IteratesAboutOnePlaceAreStationary) {
  const FitTrace trace = trace_with([](int t) { return std::sin(t) + 0.01 * std::sin(0.03 * t); });
  EXPECT_EQ(trace.status, FitStatus::stationary);
}

TEST(FitTrace, IteratesOnTheirWayAreDrifting) {
  EXPECT_EQ(trace_with([](int t) { return 0.01 * t; }).status, FitStatus::drifting);
}

FitStatus status_after(int steps, double share = 1.0) {
  IterateTrace locations(steps, share, 1);
  for (int t = 0; t < steps; ++t) locations.add(std::vector<double>{std::sin(t)});
  const std::vector<double> result = {0.0, 0.0};
  return trace_of(locations, result, {},
                  [](std::span<const double> theta) { return std::vector<double>{theta[0]}; })
      .status;
}

TEST(FitTrace, WithoutEvidenceTheStatusIsUnknown) {
  for (const int steps : {1, 2, 3, 5, 10, 19}) {
    EXPECT_EQ(status_after(steps), FitStatus::unknown) << steps;
    EXPECT_EQ(status_after(2 * steps, 0.5), FitStatus::unknown) << steps;
  }
  EXPECT_EQ(status_after(20), FitStatus::stationary);
  EXPECT_EQ(status_after(40, 0.5), FitStatus::stationary);
  EXPECT_EQ(FitTrace().status, FitStatus::unknown);
}

// Constant iterates have no variance to compare.
TEST(FitTrace, AnUndefinedRHatTellsNothing) {
  const FitTrace trace = trace_with([](int) { return 1.0; });
  EXPECT_TRUE(std::isnan(trace.r_hat[0]));
  EXPECT_EQ(trace.status, FitStatus::unknown);
}

TEST(FitTrace, AnIterateThatIsNotFiniteHasDiverged) {
  const FitTrace trace =
      trace_with([](int t) { return t < 900 ? 0.0 : std::numeric_limits<double>::quiet_NaN(); });
  EXPECT_EQ(trace.status, FitStatus::diverged);
}

TEST(FitTrace, IteratesTooLargeToTellHaveDiverged) {
  EXPECT_EQ(trace_with([](int t) { return 1e300 * std::sin(t); }).status, FitStatus::diverged);
}

// For small scatter, the standard deviation scales with the slope of exp at the mean.
TEST(FitTrace, OutputsAreAsUncertainAsTheLocationMakesThem) {
  const FitTrace trace = trace_with([](int t) { return 2.0 + 0.01 * std::sin(0.03 * t); });
  ASSERT_EQ(trace.output_sd.size(), 2u);
  EXPECT_NEAR(trace.output_sd[0], trace.mean_sd[0], 1e-12);
  EXPECT_NEAR(trace.output_sd[1] / trace.output_sd[0], std::exp(2.0), 0.05 * std::exp(2.0));
}

// theta[1] is twice as uncertain as theta[0], and theta[1] - 2 theta[0] is certain.
TEST(FitTrace, UncertaintyThatIsKnownReplacesTheScatter) {
  IterateTrace locations(100, 1.0, 2);
  for (int t = 0; t < 100; ++t) locations.add(std::vector<double>{std::sin(t), std::cos(t)});
  const std::vector<double> result = {1.0, 2.0, 0.0, 0.0}, factor = {0.2, 0.0, 0.4, 0.0};
  const FitTrace trace = trace_of(locations, result, factor, [](std::span<const double> theta) {
    return std::vector<double>{theta[0], theta[1] - 2.0 * theta[0], std::exp(theta[0])};
  });
  EXPECT_EQ(trace.mean_sd, (std::vector<double>{0.2, 0.4}));
  EXPECT_NEAR(trace.output_sd[0], 0.2, 1e-12);
  EXPECT_NEAR(trace.output_sd[1], 0.0, 1e-12);
  EXPECT_NEAR(trace.output_sd[2], 0.5 * (std::exp(1.2) - std::exp(0.8)), 1e-12);
}

}  // namespace
}  // namespace dpvi
