#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <dpvi/gradient/bound_shares.hpp>
#include <dpvi/gradient/unbiased_centre.hpp>

namespace dpvi {
namespace {

// A block of records with several outcomes. In every lane the gradient of one outcome is such that
// the mean under the law is zero, as it is for a score.
class OutcomeBlock {
 public:
  OutcomeBlock(std::size_t outcomes, std::size_t rows, double scale, std::uint64_t seed)
      : row_count(rows), log_densities(outcomes) {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal;
    gradients.assign(outcomes, std::vector<double>(rows * kClipLanes));
    for (std::size_t lane = 0; lane < kClipLanes; ++lane) {
      for (LaneNumbers& one : log_densities) one.lane[lane] = 1.5 * normal(engine);
      for (std::size_t j = 0; j < rows; ++j) {
        double rest = 0.0;
        for (std::size_t k = 1; k < outcomes; ++k) {
          gradients[k][j * kClipLanes + lane] = scale * normal(engine);
          rest += probability(k, lane) * gradients[k][j * kClipLanes + lane];
        }
        gradients[0][j * kClipLanes + lane] = -rest / probability(0, lane);
      }
    }
  }

  std::size_t outcomes() const { return gradients.size(); }

  double probability(std::size_t k, std::size_t lane) const {
    double sum = 0.0;
    for (const LaneNumbers& one : log_densities) sum += std::exp(one.lane[lane]);
    return std::exp(log_densities[k].lane[lane]) / sum;
  }

  // psi for records whose own outcome is `own`.
  std::vector<double> clipped(std::size_t own, double bound) const {
    std::vector<const double*> pointers;
    std::vector<LaneNumbers> densities;
    for (std::size_t i = 0; i < outcomes(); ++i) {
      const std::size_t k = (own + i) % outcomes();
      pointers.push_back(gradients[k].data());
      densities.push_back(log_densities[k]);
    }
    std::vector<double> psi(row_count * kClipLanes);
    shares = UnbiasedCentre(outcomes(), bound)
                 .clip(std::span<const double* const>(pointers), densities, std::span(psi));
    return psi;
  }

  double norm(const std::vector<double>& block, std::size_t lane) const {
    double squares = 0.0;
    for (std::size_t j = 0; j < row_count; ++j)
      squares += std::pow(block[j * kClipLanes + lane], 2);
    return std::sqrt(squares);
  }

  std::vector<std::vector<double>> gradients;
  std::size_t row_count;
  std::vector<LaneNumbers> log_densities;
  mutable BoundShares shares = kWholeBound;
};

TEST(UnbiasedCentre, MeanIsZeroUnderTheLawAndNormWithinTheBound) {
  for (const std::size_t outcomes : {std::size_t{2}, std::size_t{3}, std::size_t{9}}) {
    for (const double scale : {0.1, 1.0, 30.0, 1e6}) {
      const OutcomeBlock block(outcomes, 4, scale, outcomes);
      std::vector<double> mean(4 * kClipLanes, 0.0);
      for (std::size_t own = 0; own < outcomes; ++own) {
        const std::vector<double> psi = block.clipped(own, 1.0);
        for (std::size_t i = 0; i < psi.size(); ++i) {
          mean[i] += block.probability(own, i % kClipLanes) * psi[i];
        }
        for (std::size_t lane = 0; lane < kClipLanes; ++lane) {
          EXPECT_LE(block.norm(psi, lane), 1.0 + 1e-9);
        }
      }
      for (const double entry : mean) EXPECT_NEAR(entry, 0.0, 1e-9 + 1e-12 * scale);
    }
  }
}

TEST(UnbiasedCentre, GradientsWithinTheBoundStayAsTheyAre) {
  const OutcomeBlock block(4, 3, 0.01, 2);
  const std::vector<double> psi = block.clipped(1, 5.0);
  for (std::size_t i = 0; i < psi.size(); ++i) EXPECT_NEAR(psi[i], block.gradients[1][i], 1e-12);
  for (const float share : block.shares.lane) EXPECT_EQ(share, 1.0F);
}

// All outcomes of a record, not only its own, decide whether it counts as shortened.
TEST(UnbiasedCentre, ARecordIsShortenedIfAnyOfItsOutcomesIs) {
  const OutcomeBlock block(3, 2, 4.0, 7);
  for (std::size_t own = 0; own < 3; ++own) {
    const std::vector<double> psi = block.clipped(own, 1.0);
    for (std::size_t lane = 0; lane < kClipLanes; ++lane) {
      EXPECT_LT(block.shares.lane[lane], block.norm(psi, lane));
      EXPECT_GT(block.shares.lane[lane], block.norm(psi, lane) * 0.99999 - 1e-9);
    }
  }
}

// Guarantee: no lane waits for another to converge; its psi depends on its own content alone.
TEST(UnbiasedCentre, ALaneDependsOnItsOwnContentAlone) {
  OutcomeBlock block(5, 3, 3.0, 11);
  const std::vector<double> before = block.clipped(2, 1.0);
  for (const double hostile : {0.0, 1e300, std::numeric_limits<double>::quiet_NaN(),
                               std::numeric_limits<double>::infinity()}) {
    for (auto& gradient : block.gradients) {
      for (std::size_t i = 0; i < gradient.size(); ++i) {
        if (i % kClipLanes != 6) gradient[i] = hostile;
      }
    }
    const std::vector<double> after = block.clipped(2, 1.0);
    for (std::size_t i = 6; i < after.size(); i += kClipLanes) EXPECT_EQ(after[i], before[i]);
  }
}

TEST(UnbiasedCentre, OutcomesThatAreImpossibleHaveNoWeight) {
  OutcomeBlock block(3, 2, 2.0, 5);
  const std::vector<double> before = OutcomeBlock(block).clipped(0, 1.0);
  block.gradients.emplace_back(2 * kClipLanes, 0.0);
  block.log_densities.emplace_back();
  for (const double density :
       {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    for (double& lane : block.log_densities.back().lane) lane = density;
    std::vector<const double*> pointers;
    for (const auto& gradient : block.gradients) pointers.push_back(gradient.data());
    std::vector<double> psi(before.size());
    UnbiasedCentre(4, 1.0).clip(std::span<const double* const>(pointers), block.log_densities,
                                std::span(psi));
    for (std::size_t i = 0; i < psi.size(); ++i) EXPECT_NEAR(psi[i], before[i], 1e-12);
  }
}

TEST(UnbiasedCentre, AGradientThatIsNotFiniteIsNotMadeFinite) {
  OutcomeBlock block(3, 2, 2.0, 5);
  block.gradients[2][4] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(block.clipped(0, 1.0)[4]));
}

// The closed form for two outcomes is what the solver finds.
TEST(BoundShares, ClipTwoOutcomesAsTheSolverDoes) {
  for (const double scale : {0.3, 3.0, 100.0}) {
    const OutcomeBlock block(2, 3, scale, 3);
    for (std::size_t own = 0; own < 2; ++own) {
      const BoundShares shares =
          bound_shares(block.log_densities[own].lane, block.log_densities[1 - own].lane);
      const std::vector<double> psi = block.clipped(own, 1.0);
      for (std::size_t i = 0; i < psi.size(); ++i) {
        const std::size_t lane = i % kClipLanes;
        const double norm = block.norm(block.gradients[own], lane);
        const double factor = std::min(1.0, static_cast<double>(shares.lane[lane]) / norm);
        EXPECT_NEAR(psi[i], factor * block.gradients[own][i], 1e-3);
      }
    }
  }
}

TEST(BoundShares, AreBetweenTheLeastAndOneForAnyDensities) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const double own[kClipLanes] = {0, -1, -kInf, kInf, kNan, 1e308, -1e308, 0, 0, -745};
  const double other[kClipLanes] = {0, kNan, -kInf, kInf, 0, -1e308, 1e308, -kInf, kInf, 0};
  for (const float share : bound_shares(own, other).lane) {
    EXPECT_GE(share, kLeastShare);
    EXPECT_LE(share, 1.0F);
  }
}

}  // namespace
}  // namespace dpvi
