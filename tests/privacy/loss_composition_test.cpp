#include <dpvi/privacy/loss_composition.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include <dpvi/privacy/analytic_gaussian.hpp>
#include <dpvi/privacy/composition_layout.hpp>
#include <dpvi/privacy/pld.hpp>
#include <tests/privacy/random_runs.hpp>

namespace dpvi::testing_privacy {
namespace {

// A second method: computes delta of several steps by nested integration over the outcomes of the
// earlier steps, delta_T(e) = E_P[delta_{T-1}(e - L)], with the closed-form one-step curve at the
// bottom. The integrands are smooth and vanish at both ends, so the trapezoidal rule converges
// fast.
class NestedIntegral {
 public:
  // Uses `fineness` nodes per standard deviation.
  NestedIntegral(const DominatingPair<long double>& pair, int fineness) : pair_(pair) {
    const long double step = pair.noise / fineness, reach = 14 * pair.noise;
    for (long double x = -reach; x <= 1 + reach; x += step) {
      loss_.push_back(pair_.loss(x));
      mass_.push_back(step * ((1 - pair_.up) * density(x) + pair_.up * density(x - 1)));
    }
  }

  long double delta(int steps, long double epsilon) const {
    if (steps == 1) return one_step(epsilon);
    long double sum = 0;
    for (std::size_t i = 0; i < loss_.size(); ++i)
      sum += mass_[i] * delta(steps - 1, epsilon - loss_[i]);
    return sum;
  }

 private:
  long double density(long double x) const {
    return std::exp(-x * x / (2 * pair_.noise * pair_.noise)) /
           (pair_.noise * std::sqrt(2 * std::acos(-1.0L)));
  }
  long double tail(long double x) const { return std::erfc(x / pair_.noise * std::sqrt(0.5L)) / 2; }
  long double one_step(long double epsilon) const {
    if (epsilon >= pair_.largest_loss()) return 0;
    if (epsilon <= pair_.least_loss()) return -std::expm1(epsilon);
    const long double x = pair_.outcome(epsilon);
    const long double p = (1 - pair_.up) * tail(x) + pair_.up * tail(x - 1);
    const long double q = (1 - pair_.down) * tail(x) + pair_.down * tail(x + 1);
    return p - std::exp(epsilon) * q;
  }

  DominatingPair<long double> pair_;
  std::vector<long double> loss_, mass_;
};

// The error is estimated as four times the difference from half as many nodes.
Bracket nested_delta(Adjacency adjacency, const GaussianPhase& phase, double epsilon) {
  const auto steps = static_cast<int>(phase.steps);
  const auto delta = [&](Direction direction) -> Bracket {
    const DominatingPair<long double> pair(direction, phase.sampling_rate, phase.noise_multiplier);
    const int fineness = steps == 2 ? 400 : 24;
    const auto fine = static_cast<double>(NestedIntegral(pair, fineness).delta(steps, epsilon));
    const auto rough =
        static_cast<double>(NestedIntegral(pair, fineness / 2).delta(steps, epsilon));
    const double error = 4 * std::abs(fine - rough) + 1e-12 * fine;
    return {fine - error, fine + error};
  };
  if (adjacency == Adjacency::substitute) return delta(Direction::substitute);
  const Bracket remove = delta(Direction::remove), add = delta(Direction::add);
  return {std::max(remove.lower, add.lower), std::max(remove.upper, add.upper)};
}

TEST(PldDelta, TwoAndThreeStepsHoldTheNestedIntegral) {
  struct Case {
    GaussianPhase phase;
    double epsilon;
  };
  const Case cases[] = {{{0.2, 1.0, 2}, 0.5},  {{0.2, 1.0, 3}, 0.5},  {{0.01, 0.7, 2}, 2.0},
                        {{0.9, 2.0, 3}, 1.0},  {{0.5, 0.8, 2}, 8.0},  {{0.001, 0.6, 2}, 5.0},
                        {{0.99, 1.0, 2}, 9.0}, {{0.05, 4.0, 2}, 0.0}, {{0.999, 3.0, 2}, 3.0},
                        {{0.1, 0.5, 2}, 20.0}, {{1e-5, 0.8, 2}, 1e-3}};
  for (const auto& [phase, epsilon] : cases) {
    for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::substitute}) {
      const Bracket truth = nested_delta(adjacency, phase, epsilon);
      const Bracket found = pld_delta(GaussianRun{phase}, adjacency, epsilon);
      SCOPED_TRACE(testing::Message() << phase.sampling_rate << " " << phase.noise_multiplier << " "
                                      << epsilon << " delta " << truth.lower);
      EXPECT_LE(found.lower, truth.upper);
      EXPECT_GE(found.upper, truth.lower);
      EXPECT_LE(found.width(), 5e-3 * truth.upper);
      EXPECT_LE(truth.width(), 1e-3 * truth.upper);
    }
  }
}

TEST(PldEpsilon, TinyDeltaOfTwoSampledStepsHoldsTheNestedIntegral) {
  const GaussianPhase phase{0.95, 2.0, 2};
  for (const double delta : {1e-12, 1e-9, 1e-3}) {
    const Bracket found = pld_epsilon(GaussianRun{phase}, Adjacency::substitute, delta);
    EXPECT_GE(nested_delta(Adjacency::substitute, phase, found.lower).upper, delta);
    EXPECT_LE(nested_delta(Adjacency::substitute, phase, found.upper).lower, delta);
    EXPECT_LE(found.width(), 2e-6);
  }
}

// Guarantee: the smallest epsilon >= 0 that is private at `delta` lies between the ends.
// The composition does not use the closed form that exists at rate 1.
TEST(ComposedLoss, UnsampledStepsHoldTheAnalyticGaussian) {
  for (const double delta : {0.1, 1e-3, 1e-6, 1e-12}) {
    for (const std::int64_t steps : {2, 100, 10000}) {
      const double s = 2 * std::sqrt(static_cast<double>(steps));
      const GaussianRun run{{1.0, s, steps}};
      for (const auto& [direction, shift] :
           {std::pair(Direction::remove, 0.5), std::pair(Direction::substitute, 1.0)}) {
        const Bracket truth = analytic_gaussian_epsilon(shift, delta);
        CompositionLayout plan = CompositionLayout::for_delta(run, direction, delta);
        plan.focus({0.9 * truth.lower, 1.1 * truth.upper + 0.1}, std::size_t{1} << 15);
        const Bracket found = plan.compose().epsilon(delta);
        SCOPED_TRACE(testing::Message() << "delta " << delta << " steps " << steps);
        EXPECT_LE(found.lower, truth.upper);
        EXPECT_GE(found.upper, truth.lower);
        EXPECT_LE(found.width(), 5e-3 * truth.upper);
      }
    }
  }
}

// Guarantee: delta at any epsilon lies between the ends.
TEST(ComposedLoss, EveryDeltaOfAComposedCurveHoldsTheAnalyticGaussian) {
  const GaussianRun run{{1.0, 20.0, 100}};
  for (double epsilon = 0; epsilon < 6; epsilon += 0.37) {
    const Bracket truth = analytic_gaussian_delta(0.5, epsilon);
    CompositionLayout plan = CompositionLayout::for_epsilon(run, Direction::remove, epsilon);
    plan.focus({epsilon, epsilon}, std::size_t{1} << 14);
    const Bracket found = plan.compose().delta(epsilon);
    EXPECT_LE(found.lower, truth.upper) << epsilon;
    EXPECT_GE(found.upper, truth.lower) << epsilon;
    EXPECT_LE(found.width(), 1e-2 * truth.upper) << epsilon;
  }
}

// Compares delta with a simulation of the total loss, in standard errors.
TEST(PldDelta, FiftyStepsAgreeWithSimulation) {
  constexpr int kRuns = 100'000, kSteps = 50;
  const double q = 0.2, s = 1.2, epsilon = 1.5;
  const DominatingPair<double> pair(Direction::remove, q, s);
  std::mt19937_64 generator(7);
  std::normal_distribution<double> normal(0, s);
  std::bernoulli_distribution sampled(q);
  double sum = 0, squares = 0;
  for (int run = 0; run < kRuns; ++run) {
    double total = 0;
    for (int step = 0; step < kSteps; ++step)
      total += pair.loss(normal(generator) + (sampled(generator) ? 1 : 0));
    const double value = total > epsilon ? -std::expm1(epsilon - total) : 0;
    sum += value;
    squares += value * value;
  }
  const double mean = sum / kRuns;
  const double standard_error = std::sqrt((squares / kRuns - mean * mean) / kRuns);
  const Bracket found = pld_delta(GaussianRun{{q, s, kSteps}}, Adjacency::add_remove, epsilon);
  EXPECT_NEAR(found.upper, mean, 4 * standard_error);
  EXPECT_LE(found.width(), 0.1 * standard_error);
}

}  // namespace
}  // namespace dpvi::testing_privacy
