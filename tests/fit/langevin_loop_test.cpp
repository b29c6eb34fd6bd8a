#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <dpvi/family/make_family.hpp>
#include <dpvi/fit/train/training_loop.hpp>
#include <tests/support/bound_program.hpp>
#include <tests/support/fixed_key_generator.hpp>

namespace dpvi {
namespace {

constexpr double kPriorPrecision = 1.0 / 9.0;  // of kMeanProgram, whose records have precision 1/4

// Runs DP-SGLD in the training loop on a single mean with known variance.
class LangevinLoop : public testing::Test {
 protected:
  static LoopPlan plan(std::int64_t steps, double learning_rate) {
    LoopPlan plan{.phases = {{SamplingRate::from_double(1.0), NoiseGrid(5.0), steps}},
                  .clip = {},
                  .learning_rate = learning_rate};
    plan.clip.first_bound = 0.1;
    plan.langevin = LangevinSettings{.radius = 50.0, .kept_samples = 100};
    return plan;
  }

  static std::vector<double> values(std::size_t count) {
    std::vector<double> result;
    for (std::size_t i = 0; i < count; ++i) {
      result.push_back(std::sin(static_cast<double>(i)) + 1.0);
    }
    return result;
  }

  RecordTable records(const std::vector<double>& values) const {
    RecordTable raw(1, 0);
    for (const double value : values) raw.append(std::vector<double>{value}, {});
    return model_.prepare(std::move(raw));
  }

  // The chain starts at 2.
  LoopOutcome run(const LoopPlan& plan, const RecordTable& table, std::uint64_t key) const {
    RecordGradients gradients(model_.tape(), table, 1);
    return run_private_loop(
        plan, {&model_.prior(), &gradients, model_.used_by_records()},
        *make_family(FamilyKind::mean_field, 1),
        {Coordinates::identity(1), std::vector<double>{2.0}, std::vector<double>{1.0}},
        [](std::int64_t, const Released&) { return true; },
        {FixedKeyForTests::generator(2 * key), FixedKeyForTests::generator(2 * key + 1)});
  }

  LoopOutcome run_unprotected(const LoopPlan& plan, const RecordTable& table) const {
    RecordGradients gradients(model_.tape(), table, 1);
    return run_unprotected_loop(
        plan, {&model_.prior(), &gradients, model_.used_by_records()},
        *make_family(FamilyKind::mean_field, 1),
        {Coordinates::identity(1), std::vector<double>{2.0}, std::vector<double>{1.0}}, 3,
        [](std::int64_t, const Released&) { return true; });
  }

  const RecordModel model_ = bind_program(kMeanProgram).model;
};

// The step is theta + step (sum of clipped gradients + prior gradient) + noise. The release's noise
// is below Langevin's sqrt(step) here, so the loop adds the missing noise.
TEST_F(LangevinLoop, OneStepIsThePlainFormula) {
  constexpr int kKeys = 400;
  constexpr double kStep = 0.5, kNoise = kStep * 0.1 * 5.0;
  static_assert(kNoise * kNoise < kStep);
  const std::vector<double> y = values(60);
  const RecordTable table = records(y);
  double expected = 2.0 - kStep * kPriorPrecision * 2.0;
  for (const double value : y) expected += kStep * std::clamp((value - 2.0) / 4.0, -0.1, 0.1);
  double sum = 0.0, square = 0.0;
  for (std::uint64_t key = 0; key < kKeys; ++key) {
    const double distance = run(plan(1, kStep), table, key).samples.at(0)[0] - expected;
    sum += distance;
    square += distance * distance;
  }
  const double spread = std::sqrt(kStep);
  EXPECT_NEAR(sum / kKeys, 0.0, 4.0 * spread / std::sqrt(kKeys));
  EXPECT_NEAR(std::sqrt(square / kKeys), spread, 4.0 * spread / std::sqrt(2.0 * kKeys));
}

TEST_F(LangevinLoop, NoiseOfTheReleaseIsAllThereIsWhereItIsMoreThanLangevins) {
  constexpr int kKeys = 400;
  LoopPlan loud = plan(1, 0.5);
  loud.phases[0].grid = NoiseGrid(200.0);
  const RecordTable none = records({});
  double square = 0.0;
  for (std::uint64_t key = 0; key < kKeys; ++key) {
    const double distance =
        run(loud, none, key).samples.at(0)[0] - (2.0 - 0.5 * kPriorPrecision * 2.0);
    square += distance * distance;
  }
  const double spread = 0.5 * 0.1 * loud.phases[0].grid.noise_multiplier();
  EXPECT_NEAR(std::sqrt(square / kKeys), spread, 4.0 * spread / std::sqrt(2.0 * kKeys));
}

// The published code did not clip, so no noise could mask an outlying record.
TEST_F(LangevinLoop, OneRecordMovesTheChainByNoMoreThanTwiceItsBound) {
  std::vector<double> y = values(60);
  const RecordTable table = records(y);
  y[7] = 1e6;
  const RecordTable neighbour = records(y);
  const LoopPlan one = plan(1, 0.5);
  const double moved =
      run(one, neighbour, 1).samples.at(0)[0] - run(one, table, 1).samples.at(0)[0];
  EXPECT_GT(std::abs(moved), 0.0);
  EXPECT_LE(std::abs(moved), 0.5 * 2.0 * one.clip.first_bound);
  LoopPlan free = one;
  free.langevin->radius = 1e9;
  const double unclipped = run_unprotected(free, neighbour).samples.at(0)[0] -
                           run_unprotected(free, table).samples.at(0)[0];
  EXPECT_GT(unclipped, 1e5);
}

// Steps of size h with noise of variance h, on a Gaussian of precision P, give a chain of variance
// 1 / (2 P - h P^2). For small steps that is half the posterior variance, because Wang, Fienberg &
// Smola do not halve their steps.
TEST_F(LangevinLoop, WithoutNoiseTheChainHasTheSpreadOfItsTheory) {
  const std::vector<double> y = values(60);
  const double precision = 60.0 / 4.0 + kPriorPrecision;
  double mean = 0.0;
  for (const double value : y) mean += value / 4.0 / precision;
  const double step = 0.1 / precision;
  LoopPlan longer = plan(20000, step);
  longer.langevin->kept_samples = 19000;
  const LoopOutcome found = run_unprotected(longer, records(y));
  ASSERT_EQ(found.samples.size(), 19000u);
  double average = 0.0, square = 0.0;
  for (const auto& sample : found.samples) average += sample[0] / 19000.0;
  for (const auto& sample : found.samples) square += std::pow(sample[0] - mean, 2) / 19000.0;
  const double variance = 1.0 / (2.0 * precision - step * precision * precision);
  // Successive samples have correlation 0.9: the effective sample size is 19000 / 19.
  EXPECT_NEAR(average, mean, 4.0 * std::sqrt(variance / 1000.0));
  EXPECT_NEAR(square, variance, 4.0 * variance * std::sqrt(2.0 / 1900.0));
}

TEST_F(LangevinLoop, KeepsItsLastSamplesInsideTheBall) {
  LoopPlan loud = plan(30, 0.5);
  loud.phases[0].grid = NoiseGrid(500.0);
  loud.langevin = LangevinSettings{.radius = 1.5, .kept_samples = 10};
  const LoopOutcome found = run(loud, records(values(60)), 4);
  ASSERT_EQ(found.samples.size(), 10u);
  for (const auto& sample : found.samples) EXPECT_LE(std::abs(sample[0]), 1.5 + 1e-12);
}

}  // namespace
}  // namespace dpvi
