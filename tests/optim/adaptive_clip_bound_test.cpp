#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include <dpvi/gradient/grid_clipper.hpp>
#include <dpvi/optim/adaptive_clip_bound.hpp>
#include <dpvi/privacy/collective.hpp>
#include <dpvi/privacy/gaussian_mechanism.hpp>
#include <tests/support/fixed_key_generator.hpp>
#include <tests/support/lane_block.hpp>

namespace dpvi {
namespace {

// A run that repeatedly clips and noises gradients with log-normal lengths.
struct ClipRun {
  double share = 0.9;
  double first_bound = 1.0;
  double first_spread = 1.5;
  double noise_multiplier = 20.0;
  double declared_batch = 0.0;  // 0 means the true batch size
  int records = 2000;
  double log_spread = 0.6;
  double median = 1.0;
  std::uint64_t key = 1;
};

double bound_after(const ClipRun& run, int steps) {
  const ClipCoordinate coordinate{.size = 0.15, .unshortened_share = run.share};
  const NoiseGrid grid(run.noise_multiplier);
  const double batch =
      run.declared_batch > 0.0 ? run.declared_batch : static_cast<double>(run.records);
  AdaptiveClipBound bound({.first_bound = run.first_bound,
                           .first_spread = run.first_spread,
                           .coordinate = coordinate,
                           .steps = static_cast<double>(steps)},
                          {.noise_multiplier = grid.noise_multiplier(), .expected_batch = batch});
  std::mt19937_64 engine(run.key);
  std::lognormal_distribution<double> lengths(std::log(run.median), run.log_spread);
  std::vector<double> records;
  for (int i = 0; i < run.records; ++i) records.push_back(lengths(engine));
  GaussianMechanism mechanism(FixedKeyForTests::generator(run.key));
  for (int t = 0; t < steps; ++t) {
    GridClipper clipper({.grid = grid,
                         .clip_bound = bound.value(),
                         .dimension = 1,
                         .max_records = 100000,
                         .coordinate = coordinate});
    for (std::size_t first = 0; first + kClipLanes <= records.size(); first += kClipLanes) {
      clipper.add(std::span<const double>(records).subspan(first, kClipLanes), 0xffff);
    }
    bound.move(mechanism.release(Collective().reduce(clipper.take_sum())));
  }
  return bound.value();
}

// The bound for which the target share of gradients stays unclipped, given that the clip coordinate
// uses part of the bound.
double target_bound(const ClipRun& run) {
  const double quantile = run.share == 0.9    ? 1.2816
                          : run.share == 0.97 ? 1.8808
                          : run.share == 0.3  ? -0.5244
                                              : 0.5244;
  return run.median * std::exp(run.log_spread * quantile) / std::sqrt(1.0 - 0.15 * 0.15);
}

// The filter's log bound has an error of at most 0.2 at the end of a run; the tolerance is four
// times that.
constexpr double kTolerance = 0.8;

TEST(AdaptiveClipBound, ReachesTheTargetShareFromFarBelowAndFarAbove) {
  for (const double share : {0.3, 0.7, 0.9, 0.97}) {
    for (const double first : {0.01, 1.0, 20.0}) {
      const ClipRun run{.share = share, .first_bound = first};
      EXPECT_NEAR(std::log(bound_after(run, 1000) / target_bound(run)), 0.0, kTolerance)
          << "share " << share << " from " << first;
    }
  }
}

TEST(AdaptiveClipBound, HasNoScaleOfItsOwn) {
  for (const double median : {1e-6, 1e6}) {
    const ClipRun run{.first_bound = median, .median = median};
    EXPECT_NEAR(std::log(bound_after(run, 1000) / target_bound(run)), 0.0, kTolerance) << median;
  }
}

// At the target the expected sum of the clip coordinate is zero for any number of records.
TEST(AdaptiveClipBound, WrongTableSizeChangesTheSpeedNotTheFixedPoint) {
  for (const double wrong : {0.2, 5.0}) {
    const ClipRun run{.share = 0.9, .noise_multiplier = 2.0, .declared_batch = 2000.0 * wrong};
    EXPECT_NEAR(std::log(bound_after(run, 2000) / target_bound(run)), 0.0, kTolerance) << wrong;
  }
}

TEST(AdaptiveClipBound, WithoutRecordsStaysWhereItWasButForTheNoise) {
  const ClipRun run{.noise_multiplier = 5.0, .declared_batch = 2000.0, .records = 0};
  EXPECT_NEAR(std::log(bound_after(run, 1000)), 0.0, 2.0);
}

// Few records under strong noise carry little information about the bound, so a good initial bound
// should be kept.
TEST(AdaptiveClipBound, ATrustedFirstBoundWandersLess) {
  const auto wandered = [](double spread) {
    double squares = 0.0;
    for (std::uint64_t key = 1; key <= 10; ++key) {
      ClipRun run{.first_spread = spread, .records = 320, .key = key};
      run.first_bound = target_bound(run);
      squares += std::pow(std::log(bound_after(run, 300) / target_bound(run)), 2);
    }
    return std::sqrt(squares / 10.0);
  };
  const double trusted = wandered(0.3);
  EXPECT_LT(trusted, 0.3);
  EXPECT_GT(wandered(1.5), 1.5 * trusted);
}

// Guarantee: the bound is a function of releases and public numbers alone.
TEST(AdaptiveClipBound, IsAFunctionOfReleasesAndPublicNumbersAlone) {
  const ClipRun run;
  EXPECT_EQ(bound_after(run, 50), bound_after(run, 50));
  ClipRun other = run;
  other.key = 2;
  EXPECT_NE(bound_after(run, 50), bound_after(other, 50));
}

}  // namespace
}  // namespace dpvi
