#include <dpvi/privacy/loss_lattice.hpp>

#include <gtest/gtest.h>

#include <cmath>

#include <tests/privacy/hockey_stick_oracle.hpp>
#include <tests/privacy/random_runs.hpp>

namespace dpvi::testing_privacy {
namespace {

// Delta at epsilon of one end of the lattice.
double delta_of(const LossLattice& lattice, const std::vector<double>& masses, double epsilon) {
  double sum = 0;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const double loss = lattice.offset + static_cast<double>(lattice.first) * lattice.spacing +
                        static_cast<double>(i) * lattice.spacing;
    if (loss > epsilon) sum += masses[i] * -std::expm1(epsilon - loss);
  }
  return sum;
}

// Guarantee: `upper` (with `infinite`) belongs to a pair of distributions that dominates the true
// pair, `lower` to a pair that the true one dominates.
TEST(LossLattice, UpperEndDominatesAndLowerEndIsDominatedAtEveryEpsilon) {
  check_always(150, [] {
    const Direction direction =
        *rc::gen::element(Direction::remove, Direction::add, Direction::substitute);
    const double q = *rc::gen::element(1.0, 1 - 1e-9, log_uniform(1e-7, 1));
    const double s = log_uniform(0.2, 200);
    const DominatingPair<double> pair(direction, q, s);
    const LossRange range{std::max(pair.loss(-8 * s), -50.0), pair.loss(1 + 8 * s)};
    const double spacing = (range.largest - range.least) / log_uniform(2, 2000);
    const LossLattice lattice = make_loss_lattice(pair, spacing, range);
    const HockeyStickOracle oracle(direction, q, s);
    for (int i = 0; i < 8; ++i) {
      const double share = *rc::gen::inRange(-10, 1001) / 1000.0;
      const double epsilon = range.least + share * (range.largest - range.least);
      const double truth = oracle.delta(epsilon).to_double();
      const double upper = delta_of(lattice, lattice.upper, epsilon) + lattice.infinite;
      const double lower = delta_of(lattice, lattice.lower, epsilon);
      RC_ASSERT(upper * (1 + 1e-12) >= truth);
      RC_ASSERT(lower * (1 - 1e-12) <= truth);
    }
  });
}

TEST(LossLattice, EndsApproachEachOtherWithTheSquareOfTheSpacing) {
  for (const Direction direction : {Direction::remove, Direction::add, Direction::substitute}) {
    const DominatingPair<double> pair(direction, 0.2, 1.0);
    const LossRange range{std::max(pair.loss(-9), -20.0), pair.loss(10)};
    const auto gap = [&](double spacing) {
      const LossLattice lattice = make_loss_lattice(pair, spacing, range);
      return delta_of(lattice, lattice.upper, 0.1) - delta_of(lattice, lattice.lower, 0.1);
    };
    EXPECT_GT(gap(2e-3), 0);
    EXPECT_LT(gap(1e-3), 0.4 * gap(2e-3));
    EXPECT_LT(gap(2.5e-4), 0.04 * gap(2e-3));
  }
}

TEST(LossLattice, MassesAreThoseOfADistribution) {
  const DominatingPair<double> pair(Direction::substitute, 0.05, 0.8);
  const LossLattice lattice = make_loss_lattice(pair, 1e-3, {-12, 12});
  double upper = lattice.infinite, lower = 0;
  for (std::size_t i = 0; i < lattice.upper.size(); ++i) {
    EXPECT_GE(lattice.upper[i], 0);
    EXPECT_GE(lattice.lower[i], 0);
    upper += lattice.upper[i];
    lower += lattice.lower[i];
  }
  EXPECT_NEAR(upper, 1, 1e-10);
  EXPECT_NEAR(lower, 1, 1e-10);
  EXPECT_GE(upper, lower);
}

}  // namespace
}  // namespace dpvi::testing_privacy
