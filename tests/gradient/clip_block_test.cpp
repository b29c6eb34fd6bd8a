#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <dpvi/base/cpu_features.hpp>
#include <dpvi/gradient/clip_block.hpp>
#include <tests/support/hostile_gradients.hpp>
#include <tests/support/lane_block.hpp>
#include <tests/support/reference_clip.hpp>

namespace dpvi {
namespace {

constexpr std::int64_t kBounds[] = {1, 2, 3, 100, 65537, 1 << 23, (1 << 24) - 1, 1 << 26, 1 << 30};
constexpr std::size_t kDimensions[] = {1, 2, 3, 4, 5, 17, 100, 1001};
constexpr double kClipBounds[] = {1.0, 1e-3, 37.5, 1e-100, 1e100};

// Targets with no clip coordinate, with one at either extreme of its share, and with normalisation.
std::vector<ClipTarget> targets_of(std::int64_t integer_bound, double clip_bound,
                                   std::size_t dimension) {
  const NoiseGrid grid = NoiseGrid::with_integer_bound(integer_bound);
  ClipSettings settings{.grid = grid, .clip_bound = clip_bound, .dimension = dimension};
  std::vector<ClipTarget> targets = {clip_target(settings)};
  for (const double share : {0.2, 0.5, 0.97}) {
    settings.coordinate = ClipCoordinate{.size = 0.15, .unshortened_share = share};
    targets.push_back(clip_target(settings));
  }
  settings.coordinate.reset();
  settings.rule = ClipRule::normalise;
  targets.push_back(clip_target(settings));
  return targets;
}

// Relative error of scaling in T: the factor and the product are each rounded once. In double the
// error is negligible compared with a grid step.
template <class T>
constexpr double unit_of() {
  return sizeof(T) == sizeof(float) ? 0x1p-23 : 0.0;
}

template <class T>
class ClipBlock : public testing::Test {
 protected:
  // Calls check(target, gradients) for every combination of the constants above and every rule.
  template <class Check>
  void for_targets(Check check) {
    for (const std::int64_t integer_bound : kBounds) {
      for (const double clip_bound : kClipBounds) {
        for (const std::size_t dimension : kDimensions) {
          HostileGradients<T> gradients(dimension);
          for (const ClipTarget& target : targets_of(integer_bound, clip_bound, dimension)) {
            check(target, gradients);
          }
        }
      }
    }
  }
};

using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(ClipBlock, Precisions);

// Guarantee: each record's integers, its clip coordinate included, have an exact Euclidean norm of
// at most integer_bound.
TYPED_TEST(ClipBlock, NormNeverExceedsIntegerBound) {
  this->for_targets([](const ClipTarget& target, HostileGradients<TypeParam>& gradients) {
    ClipLanes<TypeParam> block(target.dimension, TypeParam{0});
    for (std::size_t lane = 0; lane < kClipLanes; ++lane) block.put(lane, gradients.any());
    for (const auto& integers : block.clip(clip_kernels<TypeParam>(), target)) {
      ASSERT_TRUE(exact_square_sum(integers) <= exact_square(target.integer_bound));
    }
  });
}

TYPED_TEST(ClipBlock, NormNeverExceedsIntegerBoundInManyDimensions) {
  const std::size_t dimension = 100000;
  HostileGradients<TypeParam> gradients(dimension);
  for (const std::int64_t integer_bound : {1 << 10, 1 << 23, 1 << 30}) {
    const ClipTarget target{integer_bound, 1.0, dimension};
    ClipLanes<TypeParam> block(dimension, TypeParam{0});
    for (std::size_t lane = 0; lane < 8; ++lane) block.put(lane, gradients.finite());
    for (const auto& integers : block.clip(clip_kernels<TypeParam>(), target)) {
      ASSERT_TRUE(exact_square_sum(integers) <= exact_square(integer_bound));
    }
  }
}

// Guarantee: a record's integers are a bit-exact function of gradient, share and target.
TYPED_TEST(ClipBlock, RecordGivesTheSameIntegersInEveryLaneBesideAnyNeighbours) {
  this->for_targets([](const ClipTarget& target, HostileGradients<TypeParam>& gradients) {
    const ClipKernels<TypeParam>& kernels = clip_kernels<TypeParam>();
    const std::vector<TypeParam> record = gradients.any();
    const std::vector<std::int32_t> alone = clip_alone(target, record);
    for (std::size_t lane = 0; lane < kClipLanes; ++lane) {
      ClipLanes<TypeParam> block(target.dimension, std::numeric_limits<TypeParam>::quiet_NaN());
      for (std::size_t other = lane % 3; other < kClipLanes; other += 2) {
        block.put(other, gradients.any());
      }
      block.put(lane, record);
      ASSERT_EQ(block.clip(kernels, target)[lane], alone);
    }
  });
}

TYPED_TEST(ClipBlock, LanesGiveTheIntegersOfAClipperWithoutLanes) {
  this->for_targets([](const ClipTarget& target, HostileGradients<TypeParam>& gradients) {
    for (int i = 0; i < 8; ++i) {
      const std::vector<TypeParam> record = gradients.any();
      ASSERT_EQ(clip_alone(target, record), reference_clip(target, record));
    }
  });
}

TYPED_TEST(ClipBlock, EveryProcessorGivesTheSameIntegers) {
  if (!cpu_has_avx2_and_fma()) GTEST_SKIP() << "this processor has no AVX2";
  this->for_targets([](const ClipTarget& target, HostileGradients<TypeParam>& gradients) {
    ClipLanes<TypeParam> block(target.dimension, std::numeric_limits<TypeParam>::infinity());
    for (std::size_t lane = 0; lane < 15; ++lane) block.put(lane, gradients.any());
    ASSERT_EQ(block.clip(baseline_clip_kernels<TypeParam>(), target),
              block.clip(avx2_clip_kernels<TypeParam>(), target));
  });
}

// A norm that differs in its last bit changes integers too rarely for the test above to detect.
TYPED_TEST(ClipBlock, EveryProcessorGivesTheSameNormsToTheLastBit) {
  if (!cpu_has_avx2_and_fma()) GTEST_SKIP() << "this processor has no AVX2";
  for (const std::size_t dimension : kDimensions) {
    HostileGradients<TypeParam> gradients(dimension);
    ClipLanes<TypeParam> block(dimension, TypeParam{0});
    ClipValues prescale;
    for (std::size_t lane = 0; lane < kClipLanes; ++lane) {
      block.put(lane, gradients.normal(1.0));
      prescale.lane[lane] = sizeof(TypeParam) == sizeof(double) ? 0.25 : 1.0;
    }
    const TypeParam* entries = block.entries().data();
    const auto& baseline = baseline_clip_kernels<TypeParam>();
    const auto& avx2 = avx2_clip_kernels<TypeParam>();
    const ClipValues largest[] = {baseline.largest(entries, dimension),
                                  avx2.largest(entries, dimension)};
    const ClipValues sums[] = {baseline.square_sums(entries, dimension, prescale),
                               avx2.square_sums(entries, dimension, prescale)};
    for (std::size_t lane = 0; lane < kClipLanes; ++lane) {
      ASSERT_EQ(largest[0].lane[lane], largest[1].lane[lane]);
      ASSERT_EQ(sums[0].lane[lane], sums[1].lane[lane]);
    }
  }
}

TYPED_TEST(ClipBlock, EveryProcessorAddsTheLanesToTheSameSums) {
  if (!cpu_has_avx2_and_fma()) GTEST_SKIP() << "this processor has no AVX2";
  std::mt19937_64 engine(5);
  std::uniform_int_distribution<std::int32_t> law(-(1 << 30), 1 << 30);
  for (const std::size_t dimension : kDimensions) {
    std::vector<std::int32_t> integers(kClipLanes * dimension);
    for (std::int32_t& n : integers) n = law(engine);
    std::vector<std::int64_t> expected(dimension, std::int64_t{1} << 61);
    std::vector<std::int64_t> baseline = expected;
    std::vector<std::int64_t> avx2 = expected;
    for (std::size_t i = 0; i < integers.size(); ++i) expected[i / kClipLanes] += integers[i];
    baseline_clip_kernels<TypeParam>().add_lanes(integers.data(), dimension, baseline.data());
    avx2_clip_kernels<TypeParam>().add_lanes(integers.data(), dimension, avx2.data());
    EXPECT_EQ(baseline, expected);
    EXPECT_EQ(avx2, expected);
  }
}

// Uses rules that no clipper makes: sums of squares far above any bound must not wrap around.
TYPED_TEST(ClipBlock, SumsOfSquaresAreExactOrHeldAtTheirCeiling) {
  for (const std::size_t dimension : kDimensions) {
    const std::vector<TypeParam> block(kClipLanes * dimension, TypeParam{1e20F});
    LaneRule<TypeParam> rule;
    rule.limit = 0x1p30F;
    rule.rows_at_a_time = 4;
    for (std::size_t k = 0; k < kClipLanes; ++k) {
      rule.prescale[k] = TypeParam{1};
      rule.factor[k] = TypeParam{1};
      rule.keep[k] = k % 2 == 0 ? -1 : 0;
    }
    const std::uint64_t expected = dimension < 2 ? std::uint64_t{1} << 60 : kManySquares;
    std::vector<std::int32_t> integers(block.size());
    const auto check = [&](const ClipKernels<TypeParam>& kernels) {
      const LaneSquares squares = kernels.quantise(block.data(), dimension, rule, integers.data());
      for (std::size_t k = 0; k < kClipLanes; ++k) {
        EXPECT_EQ(squares.lane[k], k % 2 == 0 ? expected : 0);
        EXPECT_EQ(integers[k], k % 2 == 0 ? 1 << 30 : 0);
      }
    };
    check(baseline_clip_kernels<TypeParam>());
    if (cpu_has_avx2_and_fma()) check(avx2_clip_kernels<TypeParam>());
  }
}

// A faulty rule that leaves lanes too long, to show that the check does not rely on the rule.
template <class T>
void set_lanes_too_long(const ClipValues& square_sums, const ClipValues& prescale,
                        const FactorRule& factors, std::uint32_t active_lanes, LaneRule<T>& rule) {
  clip_kernels<T>().set_lanes(square_sums, prescale, factors, active_lanes, rule);
  for (std::size_t k = 0; k < kClipLanes; k += 2) rule.factor[k] *= T(1.001);
}

TYPED_TEST(ClipBlock, LaneAboveTheBoundIsBroughtWithinItWhateverTheRuleSays) {
  ClipKernels<TypeParam> kernels = clip_kernels<TypeParam>();
  kernels.set_lanes = &set_lanes_too_long<TypeParam>;
  for (const std::size_t dimension : {2, 17, 1001}) {
    for (const ClipTarget& target : targets_of(1 << 23, 1e-3, dimension)) {
      HostileGradients<TypeParam> gradients(dimension);
      ClipLanes<TypeParam> block(dimension, TypeParam{0});
      for (std::size_t lane = 0; lane < kClipLanes; ++lane) block.put(lane, gradients.normal(1.0));
      for (const auto& integers : block.clip(kernels, target)) {
        EXPECT_TRUE(exact_square_sum(integers) <= exact_square(target.integer_bound));
        EXPECT_FALSE(all_zero(integers));
      }
    }
  }
}

// Guarantee: a record with a NaN or an infinity becomes zero, and no other record is zeroed.
TYPED_TEST(ClipBlock, RecordWithANanOrAnInfinityBecomesZero) {
  this->for_targets([](const ClipTarget& target, HostileGradients<TypeParam>& gradients) {
    for (int i = 0; i < 8; ++i) ASSERT_TRUE(all_zero(clip_alone(target, gradients.not_finite())));
  });
}

TYPED_TEST(ClipBlock, LaneWithoutARecordBecomesZero) {
  const ClipTarget target{1 << 23, 1.0, 3};
  ClipLanes<TypeParam> block(3, TypeParam{1});
  block.put(4, {1, 2, 3});
  const auto lanes = block.clip(clip_kernels<TypeParam>(), target);
  for (std::size_t lane = 0; lane < kClipLanes; ++lane) EXPECT_EQ(all_zero(lanes[lane]), lane != 4);
}

// Guarantee: a record with a NaN or an infinity becomes zero, and no other record is zeroed.
// A clipped record keeps its length. Rounding and the repair steps may remove one grid step per
// coordinate and, in single precision, the scaling error.
TYPED_TEST(ClipBlock, NoFiniteRecordIsZeroed) {
  this->for_targets([](const ClipTarget& target, HostileGradients<TypeParam>& gradients) {
    // Every kind of gradient exceeds this clip bound.
    const ClipTarget tight{target.integer_bound, 1e-100, target.dimension};
    const double bound = static_cast<double>(target.integer_bound);
    const double lost =
        std::sqrt(static_cast<double>(target.dimension)) + 2.0 + unit_of<TypeParam>() * bound;
    for (int i = 0; i < 16; ++i) {
      const std::vector<TypeParam> record = gradients.finite();
      double largest = 0.0;
      for (const TypeParam entry : record) largest = std::fmax(largest, std::fabs(entry));
      if (largest < 1e-99) continue;
      const double norm =
          std::sqrt(static_cast<double>(exact_square_sum(clip_alone(tight, record))));
      ASSERT_GE(norm, bound - lost) << "D " << bound << " dimension " << target.dimension;
    }
  });
}

TYPED_TEST(ClipBlock, RecordWithinTheBoundIsRoundedToTheNearestGridStep) {
  for (const std::size_t dimension : kDimensions) {
    HostileGradients<TypeParam> gradients(dimension);
    const ClipTarget target{1 << 23, 20.0 * std::sqrt(static_cast<double>(dimension)), dimension};
    const std::vector<TypeParam> record = gradients.normal(1.0);
    const std::vector<std::int32_t> integers = clip_alone(target, record);
    for (std::size_t j = 0; j < dimension; ++j) {
      const double scaled = record[j] * (0x1p23 / target.clip_bound);
      ASSERT_LE(std::fabs(integers[j] - scaled),
                0.5 + 1e-6 + unit_of<TypeParam>() * std::fabs(scaled));
    }
  }
}

TYPED_TEST(ClipBlock, RecordAboveTheBoundKeepsItsDirection) {
  for (const std::size_t dimension : kDimensions) {
    HostileGradients<TypeParam> gradients(dimension);
    const ClipTarget target{1 << 23, 1e-3, dimension};
    const std::vector<TypeParam> record = gradients.normal(1.0);
    const std::vector<std::int32_t> integers = clip_alone(target, record);
    double square_sum = 0.0;
    for (const TypeParam entry : record) square_sum += std::pow(entry, 2);
    for (std::size_t j = 0; j < dimension; ++j) {
      const double scaled = record[j] * (0x1p23 / std::sqrt(square_sum));
      // Scaling in single precision may leave the record so long that it is truncated twice.
      const double steps = sizeof(TypeParam) == sizeof(float) ? 2.0 : 1.0;
      ASSERT_LE(std::fabs(integers[j] - scaled),
                steps + 1e-6 + unit_of<TypeParam>() * std::fabs(scaled));
    }
  }
}

TEST(ClipTarget, BothMarksLeaveTheGradientARoomThatFits) {
  for (const std::int64_t bound : kBounds) {
    for (const double size : {0.0, 0.15, 0.5}) {
      for (const double share : {0.5, 0.7, 0.97, 1.0}) {
        const ClipTarget target = clip_target({.grid = NoiseGrid::with_integer_bound(bound),
                                               .clip_bound = 1.0,
                                               .dimension = 1,
                                               .coordinate = ClipCoordinate{size, share}});
        const std::int64_t gradient = target.gradient_bound();
        for (const std::int64_t mark : {target.marks->shortened, target.marks->unshortened}) {
          EXPECT_LE(gradient * gradient + mark * mark, bound * bound);
        }
        const std::int64_t mark = target.marks->shortened;
        EXPECT_GT((gradient + 1) * (gradient + 1) + mark * mark, bound * bound);
        EXPECT_NEAR(static_cast<double>(target.marks->unshortened),
                    -static_cast<double>(mark) * (1.0 - share) / share, 1.0);
      }
    }
  }
}

TYPED_TEST(ClipBlock, ClipCoordinateTellsWhetherTheGradientWasShortened) {
  const ClipTarget target = targets_of(1 << 23, 2.0, 3)[2];
  const double room = 2.0 * std::sqrt(1.0 - 0.15 * 0.15);
  const auto mark_of = [&](double length) {
    const auto entry = static_cast<TypeParam>(length / std::sqrt(3.0));
    return clip_alone(target, std::vector<TypeParam>(3, entry)).back();
  };
  EXPECT_EQ(mark_of(0.0), target.marks->unshortened);
  EXPECT_EQ(mark_of(0.999 * room), target.marks->unshortened);
  EXPECT_EQ(mark_of(1.001 * room), target.marks->shortened);
  EXPECT_EQ(mark_of(1e30), target.marks->shortened);
}

TYPED_TEST(ClipBlock, NormalisedRecordsAreNearTheBoundWhateverTheirLength) {
  const ClipTarget target = targets_of(1 << 23, 2.0, 3).back();
  for (const double length : {0.02, 2.0, 200.0, 1e30}) {
    const auto entry = static_cast<TypeParam>(length / std::sqrt(3.0));
    const auto integers = clip_alone(target, std::vector<TypeParam>(3, entry));
    const double norm = std::sqrt(static_cast<double>(exact_square_sum(integers)));
    EXPECT_NEAR(norm / 0x1p23, length / (length + 0.02), 1e-6);
  }
}

// A gradient with entries D/sqrt(d) exceeds D if the entries are rounded up, and then has to be
// repaired.
TYPED_TEST(ClipBlock, RecordThatRoundingLiftsAboveTheBoundIsNotZeroed) {
  for (const std::size_t dimension : kDimensions) {
    for (const std::int64_t bound : {1000003, 1 << 23, (1 << 24) - 1, 1 << 30}) {
      const ClipTarget target{bound, 1.0, dimension};
      for (int i = 0; i < 40; ++i) {
        const auto entry = static_cast<TypeParam>(100.0 + 1e-3 * i);
        const auto integers = clip_alone(target, std::vector<TypeParam>(dimension, entry));
        EXPECT_FALSE(all_zero(integers));
        EXPECT_TRUE(exact_square_sum(integers) <= exact_square(bound));
      }
    }
  }
}

// Integers a and b satisfy a^2 + b^2 = D^2 + 1. Rounding and truncation both leave the norm one
// unit above the bound, and so does the factor D / sqrt(D^2 + 1), which rounds to 1 in double.
TEST(ClipBlockRescue, RecordThatTruncationCannotSaveIsShrunkAndNotZeroed) {
  constexpr std::int64_t kOther = 40000;
  constexpr std::int64_t kBound = kOther * kOther / 2;
  static_assert((kBound - 1) * (kBound - 1) + kOther * kOther == kBound * kBound + 1);
  const ClipTarget target{kBound, static_cast<double>(kBound), 2};
  const std::vector<double> record = {static_cast<double>(kBound - 1), static_cast<double>(kOther)};
  const std::vector<std::int32_t> integers = clip_alone(target, record);
  EXPECT_TRUE(exact_square_sum(integers) <= exact_square(kBound));
  EXPECT_EQ(integers[0], kBound - 2);
  EXPECT_EQ(integers[1], kOther - 1);
}

}  // namespace
}  // namespace dpvi
