#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <tests/support/attacked_loop.hpp>

namespace dpvi {
namespace {

// Guarantee: all iterates together cost what an accountant computes for the plan's phases of
// Poisson-sampled Gaussian steps.
// Only releases move the iterates. With plain gradient steps and a flat prior, the last location is
// the sum of all releases times step size / sampling rate. Neither the number of records nor the
// batch size enters.
TEST(Iterates, FollowFromTheReleasesAlone) {
  for (const std::size_t records : {std::size_t{0}, std::size_t{3}, std::size_t{40}}) {
    const AttackedLoop loop(2);
    const AttackedRun run{.sampling_rate = 0.3, .steps = 60, .clip_bound = 2.0, .key = 41};
    std::vector<double> location(2, 0.0);
    const auto table = loop.table(Gradients(records, {1.0, -0.5}));
    const LoopOutcome outcome = loop.run(table, run, [&](std::int64_t, const Released& released) {
      for (std::size_t j = 0; j < 2; ++j) {
        location[j] += AttackedLoop::kLearningRate * released.values()[j] / run.sampling_rate;
      }
      return true;
    });
    for (std::size_t j = 0; j < 2; ++j) {
      EXPECT_NEAR(outcome.parameters[j], location[j], 1e-12 * std::fabs(location[j]));
    }
  }
}

// Guarantee: each call of take() is one Poisson-sampled Gaussian step with the sampling rate and
// the noise multiplier of its phase, and the log records it.
// Guarantee: only the private step writes it, and every release of its mechanism is in it.
TEST(Iterates, AreMadeOfReleasesWithTheStatedOrigin) {
  const AttackedLoop loop(2);
  const AttackedRun run{
      .sampling_rate = 0.25, .grid = NoiseGrid(3.0), .steps = 30, .clip_bound = 0.7};
  std::uint64_t step = 0;
  const auto table = loop.table(Gradients(5, {1.0, -0.5}));
  const LoopOutcome outcome = loop.run(table, run, [&](std::int64_t, const Released& released) {
    const ReleaseOrigin expected{.protection = Protection::gaussian_noise,
                                 .step = step++,
                                 .noise_multiplier = run.grid.noise_multiplier(),
                                 .clip_bound = 0.7,
                                 .dimension = 2};
    EXPECT_EQ(released.origin(), expected);
    return true;
  });
  const GaussianRun stated = {{0.25, run.grid.noise_multiplier(), 30}};
  EXPECT_EQ(outcome.releases.run(), stated);
}

}  // namespace
}  // namespace dpvi
