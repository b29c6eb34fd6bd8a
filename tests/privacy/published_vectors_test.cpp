#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <dpvi/privacy/analytic_gaussian.hpp>
#include <dpvi/privacy/calibration.hpp>
#include <dpvi/privacy/hockey_stick.hpp>
#include <dpvi/privacy/pld.hpp>
#include <dpvi/privacy/published_accountants.hpp>
#include <dpvi/privacy/rdp.hpp>

namespace dpvi {
namespace {

constexpr Adjacency kAddRemove = Adjacency::add_remove;
constexpr Adjacency kSubstitute = Adjacency::substitute;

// Known answers of other implementations, at default effort. P: TensorFlow Privacy, jax_privacy and
// the DPBayes PLD accountant. S: DPBayes, substitution. D: three implementations that agree.
struct PldVector {
  const char* id;
  Adjacency adjacency;
  double q;
  double s;
  std::int64_t steps;
  double delta;
  double epsilon;
  double tolerance;
};

const PldVector kPldVectors[] = {
    {"P21", kAddRemove, 0.01, 0.7, 120, 1e-5, 2.4612381, 1e-6},
    {"P22", kAddRemove, 0.01, 0.35, 120, 1e-5, 18.6977407, 1e-6},
    {"P23", kAddRemove, 0.0064, 1.0, 782, 1e-6, 1.199, 5e-4},
    {"P24", kAddRemove, 0.1, 3.0, 512, 1e-6, 3.77, 5e-3},
    {"P25", kAddRemove, 0.01, 2.0, 10000, 1e-6, 2.446734047007243, 1e-4},
    {"P26", kAddRemove, 0.01, 2.0, 10000, 1e-5, 2.162704603256141, 1e-4},
    {"P27", kAddRemove, 0.01, 1.0, 10000, 1e-6, 6.907422808389587, 1e-4},
    {"P28", kAddRemove, 0.01, 2.0, 100000, 1e-6, 8.984848512304165, 5e-4},
    {"P29", kAddRemove, 1.0, 0.7, 2, 1e-5, 10.1224946, 1e-6},
    {"S35", kSubstitute, 0.01, 2.0, 10000, 1e-6, 4.907397768991888, 1e-4},
    {"S36", kSubstitute, 0.01, 2.0, 10000, 1e-5, 4.396030629364786, 1e-4},
    {"S37", kSubstitute, 0.01, 1.0, 10000, 1e-6, 11.956857696159513, 1e-4},
    {"S38", kSubstitute, 0.005, 2.0, 10000, 1e-6, 2.26528666506213, 1e-4},
    {"C54", kAddRemove, 0.01, 0.67379294682, 1, 1e-5, 1.0, 1e-6},
    {"C57", kAddRemove, 0.1, 3.0, 155, 1e-6, 1.99626, 1e-4},
    {"D76", kAddRemove, 0.005, 1.0, 2000, 1e-3, 0.75517, 1e-4},
    {"D77", kSubstitute, 0.005, 1.0, 2000, 1e-3, 1.29654, 1e-4},
    {"D80", kAddRemove, 0.02, 1.0, 1000, 1e-3, 2.64484, 1e-4},
    {"D81", kSubstitute, 0.02, 1.0, 1000, 1e-3, 4.54435, 1e-4},
    {"D84", kAddRemove, 0.02, 4.0, 1000, 1e-3, 0.35264, 1e-4},
    {"D85", kSubstitute, 0.02, 4.0, 1000, 1e-3, 0.78264, 1e-4},
    {"D88", kAddRemove, 0.01, 1.5, 5000, 1e-5, 2.17028, 1e-4},
    {"D89", kSubstitute, 0.01, 1.5, 5000, 1e-5, 4.15293, 1e-4},
    // Fixed-size sampling without replacement equals add/remove at half the noise.
    {"D78", kAddRemove, 0.005, 0.5, 2000, 1e-3, 6.38607, 2e-4},
    {"D82", kAddRemove, 0.02, 0.5, 1000, 1e-3, 17.38587, 2e-4},
    {"D86", kAddRemove, 0.02, 2.0, 1000, 1e-3, 0.86274, 2e-4},
    {"D90", kAddRemove, 0.01, 0.75, 5000, 1e-5, 8.07627, 2e-4},
};

class PldKnownAnswers : public testing::TestWithParam<PldVector> {};

TEST_P(PldKnownAnswers, EpsilonHoldsAtItsTolerance) {
  const PldVector& known = GetParam();
  const GaussianRun run{{known.q, known.s, known.steps}};
  const Bracket found = pld_epsilon(run, known.adjacency, known.delta);
  EXPECT_LE(found.lower, found.upper);
  EXPECT_NEAR(found.upper, known.epsilon, known.tolerance);
  EXPECT_NEAR(found.lower, known.epsilon, known.tolerance + found.width());
  EXPECT_LE(found.width(), std::max(1e-3 * known.epsilon, 1e-4));
}

TEST_P(PldKnownAnswers, DeltaAtThatEpsilonIsTheGivenOne) {
  const PldVector& known = GetParam();
  const GaussianRun run{{known.q, known.s, known.steps}};
  const Bracket epsilon = pld_epsilon(run, known.adjacency, known.delta);
  EXPECT_LE(pld_delta(run, known.adjacency, epsilon.upper).lower, known.delta);
  EXPECT_GE(pld_delta(run, known.adjacency, epsilon.lower).upper, known.delta);
}

INSTANTIATE_TEST_SUITE_P(Vectors, PldKnownAnswers, testing::ValuesIn(kPldVectors),
                         [](const auto& tested) { return std::string(tested.param.id); });

TEST(PldKnownPhases, HeterogeneousRunsHold) {  // X61, X63: ten phases of ten steps
  GaussianRun run;
  for (int i = 0; i < 10; ++i) run.push_back({0.05 + 0.01 * i / 9, 1.6 + 0.2 * i / 9, 10});
  EXPECT_NEAR(pld_epsilon(run, kAddRemove, 1e-3).upper, 0.9658229984720059, 1e-5);
  EXPECT_NEAR(pld_epsilon(run, kSubstitute, 1e-3).upper, 1.849343750228688, 1e-5);
}

struct RdpVector {
  const char* id;
  double s;
  std::int64_t steps;
  double order;
  double value;
  double tolerance;  // relative
};

// q = 0.01, add/remove. R09 and R10 are exact values by 30-digit quadrature; the published values
// are upper bounds.
const RdpVector kRdpVectors[] = {{"R01", 0.1, 1, 1.25, 39.47435359280898, 1e-9},
                                 {"R02", 0.1, 1, 2.0, 90.7896596280238, 1e-9},
                                 {"R03", 0.1, 1, 4.5, 219.07906690372957, 1e-9},
                                 {"R04", 0.1, 1, 128, 6395.3585686314445, 1e-9},
                                 {"R05", 0.25, 1, 1.25, 0.1103603174246269, 1e-9},
                                 {"R06", 0.5, 1, 2.25, 0.0083541177519165, 1e-9},
                                 {"R07", 0.5, 1, 4.0, 1.8618755130319669, 1e-9},
                                 {"R08", 0.5, 1, 64.0, 123.32173187455179, 1e-9},
                                 {"R09", 2.5, 50, 1.5, 0.000650070897188040, 1e-9},
                                 {"R10", 2.5, 50, 2.5, 0.00108541805691812, 1e-9},
                                 {"R11", 2.5, 50, 5.0, 0.00218075656, 1e-8},
                                 {"R12", 2.5, 50, 50.0, 0.0238460375, 1e-8},
                                 {"R13", 2.5, 50, 100.0, 167.416308, 1e-8}};

class RdpKnownAnswers : public testing::TestWithParam<RdpVector> {};

TEST_P(RdpKnownAnswers, DivergenceHolds) {
  const RdpVector& known = GetParam();
  const double found = rdp(GaussianRun{{0.01, known.s, known.steps}}, kAddRemove, known.order);
  EXPECT_NEAR(found, known.value, known.tolerance * known.value);
}

INSTANTIATE_TEST_SUITE_P(Vectors, RdpKnownAnswers, testing::ValuesIn(kRdpVectors),
                         [](const auto& tested) { return std::string(tested.param.id); });

TEST(RdpKnownBounds, PublishedUpperBoundsAreNotExceeded) {  // R09, R10, R17
  EXPECT_LE(rdp(GaussianRun{{0.01, 2.5, 50}}, kAddRemove, 1.5), 0.000670579741);
  EXPECT_LE(rdp(GaussianRun{{0.01, 2.5, 50}}, kAddRemove, 2.5), 0.0010854871);
  EXPECT_LE(rdp_epsilon(GaussianRun{{0.01, 0.7, 120}}, kAddRemove, 1e-5).epsilon, 3.2392676);
}

std::vector<double> range(double first, double last, double step) {
  std::vector<double> values;
  for (double value = first; value <= last + 1e-9; value += step) values.push_back(value);
  return values;
}

std::vector<double> joined(const std::vector<std::vector<double>>& parts) {
  std::vector<double> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

TEST(RdpKnownEpsilons, HoldWithTheOrdersOfTheirSource) {
  const std::vector<double> tensorflow = joined(
      {{1.25, 1.5, 1.75, 2., 2.25, 2.5, 3., 3.5, 4., 4.5}, range(5, 63, 1), {128, 256, 512}});
  const std::vector<double> opacus = joined({range(1.1, 10.9, 0.1), range(12, 63, 1)});
  const auto epsilon = [](double q, double s, std::int64_t steps, double delta, auto& orders) {
    return rdp_epsilon(GaussianRun{{q, s, steps}}, kAddRemove, delta, orders).epsilon;
  };
  EXPECT_NEAR(epsilon(0.0025, 1.3, 6000, 1e-5, tensorflow), 0.7242234026109595, 1e-8);  // R14
  EXPECT_NEAR(epsilon(0.001, 1.0, 30000, 1e-7, tensorflow), 1.4154988495444842, 1e-8);  // R15
  EXPECT_NEAR(epsilon(0.04, 1.5, 2250, 1e-5, opacus), 7.32911117143, 1e-8);             // R16
  const std::vector<double> thousandths = range(1.001, 100.0, 0.001);
  EXPECT_NEAR(epsilon(1.0, 4.530877117, 1, 1e-6, thousandths), 1.0, 1e-7);  // R19
}

TEST(RdpKnownEpsilons, HoldWithGooglesOrders) {  // D79, D83, D87, D91
  const std::vector<double> orders =
      joined({range(1.1, 10.9, 0.1), range(11, 63, 1), {128, 256, 512, 1024}});
  const auto epsilon = [&](double q, double s, std::int64_t steps, double delta) {
    return rdp_epsilon(GaussianRun{{q, s, steps}}, kAddRemove, delta, orders).epsilon;
  };
  EXPECT_NEAR(epsilon(0.005, 1.0, 2000, 1e-3), 0.90752, 2e-5);
  EXPECT_NEAR(epsilon(0.02, 1.0, 1000, 1e-3), 3.07381, 2e-5);
  EXPECT_NEAR(epsilon(0.02, 4.0, 1000, 1e-3), 0.41626, 2e-5);
  EXPECT_NEAR(epsilon(0.01, 1.5, 5000, 1e-5), 2.36635, 2e-5);
}

TEST(RdpKnownEpsilons, FreeOrdersAreAtLeastAsGood) {
  const auto best = [](double q, double s, std::int64_t steps, double delta) {
    return rdp_epsilon(GaussianRun{{q, s, steps}}, kAddRemove, delta).epsilon;
  };
  EXPECT_LE(best(0.0025, 1.3, 6000, 1e-5), 0.7242234026109595);  // R14
  EXPECT_LE(best(1.0, 0.7, 2, 1e-5), 10.8602036);                // R18
  EXPECT_LE(best(0.02, 4.0, 1000, 1e-3), 0.41626);               // D87
}

TEST(RdpConversion, ConstantDivergenceHolds) {  // R20
  double best = 1e9;
  for (int order = 2; order <= 32; ++order) {
    best = std::min(best, epsilon_from_rdp(1.1, order, 1e-5));
  }
  EXPECT_NEAR(best, 1.32783806176, 1e-8);
}

TEST(HockeyStick, OneStepDeltasHold) {  // H45, H47, H48, H50
  EXPECT_NEAR(one_step_delta(Direction::add, 0.8, 1.0, 1.0).upper, 0.0231362104090899, 1e-7);
  EXPECT_NEAR(one_step_delta(Direction::remove, 0.8, 1.0, 1.0).upper, 0.0816951786585355, 1e-7);
  EXPECT_NEAR(one_step_delta(Direction::remove, 0.3, 1.0, 2.0).upper, 0.0003341102928869332, 1e-7);
  EXPECT_NEAR(one_step_delta(Direction::substitute, 0.8, 2.0, 1.0).upper, 0.05808665654484252,
              1e-7);
}

TEST(AnalyticGaussian, KnownAnswersHold) {  // G66, G67, G70
  EXPECT_NEAR(analytic_gaussian_epsilon(1.0, 1e-5).upper, 4.377178095681224, 1e-9);
  EXPECT_NEAR(analytic_gaussian_epsilon(0.5, 1e-6).upper, 2.2540846502197422, 1e-9);
  EXPECT_NEAR(analytic_gaussian_delta(1.0, 1.0).upper, 0.12693674, 1e-8);
}

TEST(PublishedAccountants, MomentsHold) {
  const auto epsilon = [](double q, double s) {
    return moments_epsilon(GaussianRun{{q, s, 2000}}, 1e-3).epsilon;
  };
  const double noises[] = {2, 4, 6, 8, 10};
  const double at_01[] = {.93577, .43312, .28375, .21126, .16834};
  const double at_001[] = {7.94151, 1.02224, .40371, .22565, .14594};
  const double at_005[] = {32.59276, 2.22469, .91898, .60621, .46093};
  for (int i = 0; i < 5; ++i) {
    EXPECT_NEAR(epsilon(0.01, noises[i]), at_01[i], 1e-4);
    EXPECT_NEAR(epsilon(0.001, noises[i] / 5), at_001[i], 1e-4);
    EXPECT_NEAR(epsilon(0.005, noises[i] / 5), at_005[i], 1e-4);
  }
}

TEST(PublishedAccountants, AdvancedCompositionHolds) {  // sigma = e^(7/3) and e^0.8
  EXPECT_NEAR(published_advanced_composition_epsilon({0.05, std::exp(7.0 / 3), 1000}, 1e-3), 4.1506,
              1e-4);
  EXPECT_NEAR(published_advanced_composition_epsilon({0.005, std::exp(0.8), 2000}, 1e-3), 3.8737,
              1e-4);
}

TEST(Calibration, MostStepsAreThoseOfTheSource) {  // C57
  const CalibratedRun found = calibrate_steps({0.1, 3.0, 0}, {kAddRemove, 2.0, 1e-6});
  EXPECT_EQ(found.run[0].steps, 155);
  EXPECT_LE(found.epsilon.upper, 2.0);
}

TEST(Calibration, LeastNoiseIsThatOfTheSource) {  // C54
  const CalibratedRun found = calibrate_noise(GaussianRun{{0.01, 1.0, 1}}, {kAddRemove, 1.0, 1e-5});
  EXPECT_NEAR(found.run[0].noise_multiplier, 0.67379294682, 1e-6);
  EXPECT_LE(found.epsilon.upper, 1.0);
}

}  // namespace
}  // namespace dpvi
