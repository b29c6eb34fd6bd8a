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
  return trace_of(locations, result);
}

TEST(FitTrace, IteratesAboutOnePlaceAreStationary) {
  const FitTrace trace = trace_with([](int t) { return std::sin(t) + 0.01 * std::sin(0.03 * t); });
  EXPECT_EQ(trace.optimisation, Optimisation::stationary);
}

TEST(FitTrace, IteratesOnTheirWayAreDrifting) {
  EXPECT_EQ(trace_with([](int t) { return 0.01 * t; }).optimisation, Optimisation::drifting);
}

Optimisation status_after(int steps, double share = 1.0) {
  IterateTrace locations(steps, share, 1);
  for (int t = 0; t < steps; ++t) locations.add(std::vector<double>{std::sin(t)});
  const std::vector<double> result = {0.0, 0.0};
  return trace_of(locations, result).optimisation;
}

TEST(FitTrace, WithoutEvidenceTheStatusIsUnknown) {
  for (const int steps : {1, 2, 3, 5, 10, 19}) {
    EXPECT_EQ(status_after(steps), Optimisation::unknown) << steps;
    EXPECT_EQ(status_after(2 * steps, 0.5), Optimisation::unknown) << steps;
  }
  EXPECT_EQ(status_after(20), Optimisation::stationary);
  EXPECT_EQ(status_after(40, 0.5), Optimisation::stationary);
  EXPECT_EQ(FitTrace().optimisation, Optimisation::unknown);
}

// Constant iterates have no variance to compare.
TEST(FitTrace, AnUndefinedRHatTellsNothing) {
  const FitTrace trace = trace_with([](int) { return 1.0; });
  EXPECT_TRUE(std::isnan(trace.r_hat[0]));
  EXPECT_EQ(trace.optimisation, Optimisation::unknown);
}

TEST(FitTrace, AnIterateThatIsNotFiniteHasDiverged) {
  const FitTrace trace =
      trace_with([](int t) { return t < 900 ? 0.0 : std::numeric_limits<double>::quiet_NaN(); });
  EXPECT_EQ(trace.optimisation, Optimisation::diverged);
}

TEST(FitTrace, IteratesTooLargeToTellHaveDiverged) {
  EXPECT_EQ(trace_with([](int t) { return 1e300 * std::sin(t); }).optimisation,
            Optimisation::diverged);
}

}  // namespace
}  // namespace dpvi
