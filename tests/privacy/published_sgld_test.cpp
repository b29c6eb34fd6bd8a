#include <gtest/gtest.h>

#include <cmath>

#include <dpvi/privacy/accountant.hpp>
#include <dpvi/privacy/noise_grid.hpp>
#include <dpvi/privacy/published_sgld.hpp>

namespace dpvi {
namespace {

// Formula of Wang, Fienberg & Smola (2015): N records, batches of b, gradients of norm at most L.
double noise_of_the_paper(double n, double b, double passes, double bound, double epsilon,
                          double delta) {
  const double c = 128.0 * n * passes * bound * bound / (b * epsilon * epsilon) *
                   std::log(5.0 * n * passes / (2.0 * b * delta)) * std::log(2.0 / delta);
  return std::sqrt(c) * (b / n) / bound;
}

TEST(PublishedSgld, NoiseIsThatOfThePaperWhateverTheBound) {
  for (const double bound : {1.0, 5.0, 10.0}) {
    const SgldRun run{.epsilon = 1.25, .delta = 1e-3, .passes = 10.0, .sampling_rate = 0.05};
    EXPECT_NEAR(published_sgld_noise_multiplier(run),
                noise_of_the_paper(3340, 167, 10, bound, 1.25, 1e-3), 1e-9);
  }
}

TEST(PublishedSgld, ClaimIsTrueOfClippedGradients) {
  for (const double epsilon : {0.3, 1.3, 10.0}) {
    const SgldRun run{.epsilon = epsilon, .delta = 1e-3, .passes = 2.0, .sampling_rate = 0.005};
    const GaussianPhase phase{
        run.sampling_rate, NoiseGrid(published_sgld_noise_multiplier(run)).noise_multiplier(), 400};
    EXPECT_LE(epsilon_bound(Accountant::pld, {&phase, 1}, Adjacency::substitute, run.delta),
              epsilon);
  }
}

}  // namespace
}  // namespace dpvi
