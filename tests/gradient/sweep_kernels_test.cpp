#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <dpvi/base/cpu_features.hpp>
#include <dpvi/gradient/sweep_kernels.hpp>
#include <tests/support/hostile_gradients.hpp>
#include <tests/support/lane_block.hpp>
#include <tests/support/product_lanes.hpp>

namespace dpvi {
namespace {

template <class T>
class Sweep : public testing::Test {
 protected:
  using Lanes = ProductLanesOf<T>;

  static typename Lanes::Record any_record(std::size_t count, int number) {
    HostileGradients<T> columns(count, static_cast<std::uint64_t>(number));
    HostileGradients<T> rest(3, static_cast<std::uint64_t>(number) + 1000);
    HostileGradients<T> factors(2, static_cast<std::uint64_t>(number) + 2000);
    const bool wild = number % 3 == 0;
    return {number % 2 == 0 ? columns.any() : columns.normal(1.0),
            wild ? rest.any() : rest.normal(0.5), wild ? factors.any() : factors.normal(0.5)};
  }

  // Calls check(count, scaled, target).
  template <class Check>
  static void for_targets(Check check) {
    for (const std::size_t count : {4, 5, 11, 100}) {
      for (const std::int64_t bound : {1, 100, 1 << 23, 1 << 24, 1 << 30}) {
        for (const double clip_bound : {1.0, 1e-3, 1e3, 1e-6, 1e12, 1e-100, 1e100}) {
          ClipSettings settings{.grid = NoiseGrid::with_integer_bound(bound),
                                .clip_bound = clip_bound,
                                .dimension = 3 + 2 * count};
          check(count, clip_bound == 1.0, clip_target(settings));
          settings.coordinate = ClipCoordinate{.size = 0.15, .unshortened_share = 0.9};
          check(count, clip_bound != 1.0, clip_target(settings));
          settings.coordinate.reset();
          settings.rule = ClipRule::normalise;
          check(count, true, clip_target(settings));
        }
      }
    }
  }
};

using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Sweep, Precisions);

// Guarantee: the integers of each lane that stay in the sums have, with its mark, an exact
// Euclidean norm of at most integer_bound.
TYPED_TEST(Sweep, NormNeverExceedsIntegerBound) {
  this->for_targets([&](std::size_t count, bool scaled, const ClipTarget& target) {
    ProductLanesOf<TypeParam> block(count, scaled);
    for (int k = 0; k < 16; ++k) {
      block.put(static_cast<std::size_t>(k), this->any_record(count, k + 16 * scaled));
    }
    for (const auto& integers : block.clip(sweep_kernels<TypeParam>(), target)) {
      ASSERT_TRUE(exact_square_sum(integers) <= exact_square(target.integer_bound));
    }
  });
}

TYPED_TEST(Sweep, RecordGivesTheSameIntegersInEveryLaneBesideAnyNeighbours) {
  this->for_targets([&](std::size_t count, bool scaled, const ClipTarget& target) {
    const int number = static_cast<int>(count) + (target.marks ? 3 : 0);
    ProductLanesOf<TypeParam> alone(count, scaled);
    alone.put(0, this->any_record(count, number));
    const std::vector<std::int64_t> expected = alone.clip(sweep_kernels<TypeParam>(), target)[0];
    for (std::size_t lane = 0; lane < kClipLanes; ++lane) {
      ProductLanesOf<TypeParam> block(count, scaled);
      for (std::size_t other = lane % 3; other < kClipLanes; other += 2) {
        block.put(other, this->any_record(count, static_cast<int>(7 * lane + other)));
      }
      block.put(lane, this->any_record(count, number));
      ASSERT_EQ(block.clip(sweep_kernels<TypeParam>(), target)[lane], expected);
    }
  });
}

// Lanes swept together add what each adds alone. A lane that is taken back leaves no residue, and
// no lane is masked by its neighbours.
TYPED_TEST(Sweep, SumOfABlockIsTheSumOfItsLanes) {
  this->for_targets([&](std::size_t count, bool scaled, const ClipTarget& target) {
    const std::optional<SweepRule> rule = sweep_rule(target);
    if (!rule) return;
    for (int first = 0; first < 48; first += 16) {
      ProductLanesOf<TypeParam> block(count, scaled);
      for (int k = 0; k < 16; ++k) {
        block.put(static_cast<std::size_t>(k), this->any_record(count, first + k));
      }
      for (const std::uint32_t lanes : {0xffffu, 0x5a3cu, 0x8000u, 0u}) {
        SweptLanes swept;
        const auto together = block.sweep(sweep_kernels<TypeParam>(), *rule, lanes, swept);
        ASSERT_EQ(swept.within & ~lanes, 0u);
        std::vector<std::int64_t> expected(together.size(), 0);
        for (std::size_t k = 0; k < kClipLanes; ++k) {
          SweptLanes alone;
          const auto one = block.sweep(sweep_kernels<TypeParam>(), *rule, lanes & 1u << k, alone);
          for (std::size_t j = 0; j < one.size(); ++j) expected[j] += one[j];
        }
        ASSERT_EQ(together, expected);
      }
    }
  });
}

// Blocks swept together add what they add one after the other, whatever their contents.
TYPED_TEST(Sweep, BlocksDoNotSeeOneAnother) {
  const std::size_t dimension = 7;
  const SweepRule rule = *sweep_rule(ClipTarget{1 << 23, 1.0, dimension});
  HostileGradients<TypeParam> gradients(dimension);
  for (int i = 0; i < 50; ++i) {
    std::vector<ClipLanes<TypeParam>> lanes_of_blocks(kSweptAtOnce, {dimension, TypeParam{0}});
    std::vector<ProductBlock<TypeParam>> blocks;
    std::uint32_t active[kSweptAtOnce];
    for (std::size_t b = 0; b < kSweptAtOnce; ++b) {
      for (std::size_t lane = 0; lane < kClipLanes; ++lane) {
        lanes_of_blocks[b].put(lane, gradients.any());
      }
      blocks.push_back({lanes_of_blocks[b].entries().data(), dimension});
      active[b] = 0xffffu >> b;
    }
    for (const auto* kernels :
         {&baseline_sweep_kernels<TypeParam>(), &sweep_kernels<TypeParam>()}) {
      SweptLanes together[kSweptAtOnce], alone[kSweptAtOnce];
      std::vector<std::int64_t> at_once(kSumParts * dimension, 0), in_turn = at_once;
      const std::span<const ProductBlock<TypeParam>> all(blocks);
      add_within_bound(*kernels, rule, all, active, at_once.data(), together);
      for (std::size_t b = 0; b < kSweptAtOnce; ++b) {
        add_within_bound(*kernels, rule, all.subspan(b, 1), active + b, in_turn.data(), alone + b);
        ASSERT_EQ(together[b].within, alone[b].within);
        ASSERT_EQ(together[b].shortened, alone[b].shortened);
      }
      ASSERT_EQ(at_once, in_turn);
    }
  }
}

TYPED_TEST(Sweep, EveryProcessorGivesTheSameIntegers) {
  if (!cpu_has_avx2_and_fma()) GTEST_SKIP() << "this processor has no AVX2";
  this->for_targets([&](std::size_t count, bool scaled, const ClipTarget& target) {
    const std::optional<SweepRule> rule = sweep_rule(target);
    if (!rule) return;
    for (int first = 0; first < 64; first += 16) {
      ProductLanesOf<TypeParam> block(count, scaled);
      for (int k = 0; k < 15; ++k) {
        block.put(static_cast<std::size_t>(k), this->any_record(count, first + k));
      }
      SweptLanes baseline, avx2;
      const auto expected =
          block.sweep(baseline_sweep_kernels<TypeParam>(), *rule, block.active(), baseline);
      ASSERT_EQ(block.sweep(avx2_sweep_kernels<TypeParam>(), *rule, block.active(), avx2),
                expected);
      ASSERT_EQ(baseline.added, avx2.added);
      ASSERT_EQ(baseline.within, avx2.within);
      ASSERT_EQ(baseline.shortened, avx2.shortened);
      for (std::size_t k = 0; k < kClipLanes; ++k) ASSERT_EQ(baseline.factor[k], avx2.factor[k]);
    }
  });
}

// Sources of rounding: the squared norm is summed in T, and the multiplier is rounded toward zero.
// A shortened record is a millionth and a few steps shorter; one that is written out may be
// truncated twice.
TYPED_TEST(Sweep, IntegersAreThoseOfProductsWrittenOutWithinTheRoundingStated) {
  this->for_targets([&](std::size_t count, bool scaled, const ClipTarget& target) {
    ProductLanesOf<TypeParam> block(count, scaled);
    for (int k = 0; k < 16; ++k) {
      block.put(static_cast<std::size_t>(k), this->any_record(count, k + 40));
    }
    const auto integers = block.clip(sweep_kernels<TypeParam>(), target);
    const auto expected = block.clip_written_out(target);
    const double close = 4.0 + 0x1p-19 * static_cast<double>(target.integer_bound);
    for (std::size_t k = 0; k < kClipLanes; ++k) {
      for (std::size_t j = 0; j < 3 + 2 * count; ++j) {
        ASSERT_LE(std::fabs(static_cast<double>(integers[k][j]) - expected[k][j]), close)
            << "lane " << k << " row " << j << " bound " << target.integer_bound;
      }
      ASSERT_EQ(all_zero(integers[k]), all_zero(expected[k])) << "lane " << k;
    }
  });
}

TYPED_TEST(Sweep, OrdinaryRecordsAndRecordsOfZerosAreTaken) {
  const std::size_t count = 11;
  const ClipTarget target{1 << 23, 1.0, 3 + 2 * count};
  ProductLanesOf<TypeParam> block(count, true);
  HostileGradients<TypeParam> columns(count), three(3), two(2);
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    block.put(k, {k % 2 == 0 ? columns.filled(0) : columns.normal(1.0),
                  k % 7 == 0 ? three.filled(0) : three.normal(1.0),
                  k % 5 == 0 ? two.filled(0) : two.normal(1.0)});
  }
  block.clip(sweep_kernels<TypeParam>(), target);
  EXPECT_EQ(block.swept(), 0xffffu);
}

// Columns that are not finite or that overflow do not matter if their factor is 0.
TYPED_TEST(Sweep, ProductWithAFactorOfZeroIsZero) {
  const std::size_t count = 5;
  const ClipTarget target{1 << 23, 1.0, 3 + 2 * count};
  ProductLanesOf<TypeParam> block(count, false);
  HostileGradients<TypeParam> columns(count), three(3), two(2);
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    block.put(k, {k % 2 == 0 ? columns.not_finite() : columns.filled(1), three.filled(1),
                  k % 2 == 0 ? two.filled(0) : two.normal(1.0)});
  }
  const auto integers = block.clip(sweep_kernels<TypeParam>(), target);
  EXPECT_EQ(block.swept(), 0xffffu);
  for (std::size_t k = 0; k < kClipLanes; k += 2) {
    EXPECT_GT(integers[k][0], 4000000);
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(integers[k][2 + i], 0);
  }
}

// A block whose rows are all written out.
template <class T>
class SweptRows {
 public:
  SweptRows(const SweepRule& rule, const ClipLanes<T>& block, std::size_t rows,
            const SweepKernels<T>& kernels = sweep_kernels<T>()) {
    std::vector<std::int64_t> parts(kSumParts * rows, 0);
    const ProductBlock<T> swept{block.entries().data(), rows};
    const std::uint32_t active = block.active_lanes();
    add_within_bound(kernels, rule, std::span(&swept, 1), &active, parts.data(), &lanes);
    sums = sums_of_parts(parts);
  }

  SweptLanes lanes;
  std::vector<std::int64_t> sums;
};

// A rule that leaves integer entries unchanged.
SweepRule as_they_are(std::int64_t bound) {
  SweepRule rule = *sweep_rule(ClipTarget{bound, 1.0, 3});
  rule.unclipped = 1.0;
  rule.bound = 1e300;
  rule.length = 1e30F;
  return rule;
}

// Sums of squares equal to D^2 are kept and D^2 + 1 is taken back, in every lane, up to the largest
// D. Sums far above the bound never wrap around to below it.
TYPED_TEST(Sweep, CheckIsExactToTheLastUnit) {
  const auto check = [](const std::vector<double>& record, std::int64_t bound, bool within) {
    const std::vector<TypeParam> entries(record.begin(), record.end());
    for (std::size_t lane = 0; lane < kClipLanes; ++lane) {
      ClipLanes<TypeParam> block(entries.size(), TypeParam{1});
      block.put(lane, entries);
      block.put((lane + 5) % kClipLanes, std::vector<TypeParam>(entries.size(), TypeParam{0}));
      for (const auto* kernels :
           {&baseline_sweep_kernels<TypeParam>(), &sweep_kernels<TypeParam>()}) {
        const SweptRows<TypeParam> swept(as_they_are(bound), block, entries.size(), *kernels);
        ASSERT_EQ((swept.lanes.within >> lane & 1u) != 0, within) << bound << " " << record[0];
        for (std::size_t j = 0; j < entries.size(); ++j) {
          ASSERT_EQ(swept.sums[j], within ? static_cast<std::int64_t>(record[j]) : 0);
        }
      }
    }
  };
  for (const std::int64_t bound : {1LL, 5LL, 1LL << 23, (1LL << 24) - 1, 1LL << 26}) {
    const auto d = static_cast<double>(bound);
    check({d, 0, 0}, bound, true);
    check({0, -d, 0}, bound, true);
    check({d, 1, 0}, bound, false);
    check({d, 0, -1}, bound, false);
    check({-1, d, 0}, bound, false);
    check({1, 0, d}, bound, false);
    for (const double far : {0x1p30, 0x1p31, -0x1p31, 0x1p32, 0x1p40, 0x1p49, -0x1p50, 0x1p51}) {
      if (far * far > kLargestNormSquare) continue;
      check({far, 0, 0}, bound, false);
      check({far, far, -far}, bound, false);
    }
  }
  check({3, 4, 0}, 5, true);
  check({3 * 0x1p22, 4 * 0x1p22, 0}, 5 << 22, true);
  check({3 * 0x1p22, 4 * 0x1p22, 1}, 5 << 22, false);
}

// A faulty rule leaves records too long: they leave no residue in the sums, and their neighbours
// stay.
TYPED_TEST(Sweep, LanesAboveTheBoundAreTakenBackWhole) {
  for (const std::size_t dimension : {1, 17, 1001}) {
    const ClipTarget target{1 << 23, 1e-3, dimension};
    SweepRule rule = *sweep_rule(target);
    HostileGradients<TypeParam> gradients(dimension);
    ClipLanes<TypeParam> block(dimension, TypeParam{0});
    ClipLanes<TypeParam> only_short(dimension, TypeParam{0});
    for (std::size_t lane = 0; lane < kClipLanes; ++lane) {
      const auto record = gradients.normal(lane % 3 == 0 ? 1e-6 : 1.0);
      block.put(lane, record);
      if (lane % 3 == 0) only_short.put(lane, record);
    }
    rule.length *= 1.001F;
    const SweptRows<TypeParam> swept(rule, block, dimension);
    EXPECT_EQ(swept.lanes.added, 0xffffu);
    EXPECT_EQ(swept.lanes.within, 0x9249u);
    EXPECT_EQ(swept.sums, SweptRows<TypeParam>(rule, only_short, dimension).sums);
  }
}

// One sweep is enough: rounding lifts almost no shortened record above the bound, and the loss of
// length stays within the stated margin.
TYPED_TEST(Sweep, ShortenedRecordsStayJustBelowTheBound) {
  for (const std::int64_t bound : {1 << 14, 1 << 23, 1 << 26}) {
    for (const std::size_t dimension : {2, 11, 101, 1000}) {
      const ClipTarget target{bound, 1e-3, dimension};
      const SweepRule rule = *sweep_rule(target);
      HostileGradients<TypeParam> gradients(dimension);
      int above = 0;
      for (std::size_t block_number = 0; block_number < 40000 / (16 * dimension) + 4;
           ++block_number) {
        ClipLanes<TypeParam> block(dimension, TypeParam{0});
        for (std::size_t lane = 0; lane < kClipLanes; ++lane) {
          block.put(lane, gradients.normal(1.0));
        }
        const SweptRows<TypeParam> swept(rule, block, dimension);
        ASSERT_EQ(swept.lanes.shortened, 0xffffu);
        above += std::popcount(0xffffu & ~swept.lanes.within);
      }
      EXPECT_LE(above, 1) << "bound " << bound << " dimension " << dimension;
      ClipLanes<TypeParam> one(dimension, TypeParam{0});
      one.put(3, gradients.normal(1.0));
      const SweptRows<TypeParam> swept(rule, one, dimension);
      const double norm = std::sqrt(static_cast<double>(exact_square_sum(swept.sums)));
      const auto length = static_cast<double>(bound);
      EXPECT_GE(norm, length * (1.0 - 0x1p-19) - 4.0);
    }
  }
}

// Gradients with norm just below the clip bound are also shortened slightly, so that rounding does
// not lift them above it. They do not count as shortened.
TYPED_TEST(Sweep, RecordsAtTheBoundStayWithinIt) {
  const ClipTarget target{1 << 23, 1.0, 5};
  const SweepRule rule = *sweep_rule(target);
  for (int i = 0; i < 2000; ++i) {
    ClipLanes<TypeParam> block(5, TypeParam{0});
    for (std::size_t lane = 0; lane < kClipLanes; ++lane) {
      HostileGradients<TypeParam> gradients(5, 16 * static_cast<std::uint64_t>(i) + lane);
      std::vector<TypeParam> record = gradients.normal(1.0);
      double square = 0.0;
      for (const TypeParam x : record) square += static_cast<double>(x) * x;
      const double length = 1.0 + 1e-8 * static_cast<double>(i - 1000);
      for (TypeParam& x : record) x = static_cast<TypeParam>(x * length / std::sqrt(square));
      block.put(lane, record);
    }
    const SweptRows<TypeParam> swept(rule, block, 5);
    ASSERT_EQ(swept.lanes.within, 0xffffu);
    // Single-precision entries determine the length to within about 1e-7.
    const bool near = std::abs(i - 1000) < 50;
    ASSERT_TRUE(near || swept.lanes.shortened == (i < 1000 ? 0u : 0xffffu)) << i;
  }
}

// An independent computation for one record of doubles, with the library's square root and
// rounding.
TEST(SweepOracle, LaneGivesTheIntegersOfPlainArithmetic) {
  for (const ClipRule clip_rule : {ClipRule::shorten, ClipRule::normalise}) {
    for (const double scale : {1e-12, 1e-3, 0.1, 1.0, 1e9}) {
      const std::size_t dimension = 150;
      const ClipSettings settings{.grid = NoiseGrid::with_integer_bound(1 << 23),
                                  .clip_bound = 0.7,
                                  .dimension = dimension,
                                  .rule = clip_rule};
      const SweepRule rule = *sweep_rule(clip_target(settings));
      HostileGradients<double> gradients(dimension);
      const std::vector<double> record = gradients.normal(scale);
      double square = 0.0;
      for (const double x : record) square += x * x;
      const double norm = std::sqrt(square);
      const bool shortened = clip_rule == ClipRule::normalise || norm >= 0.7;
      const double length = 0x1p23 * (1.0 - 0x1p-20) - 1.5;
      const double divisor = clip_rule == ClipRule::normalise ? norm + 0.007 : norm;
      const double factor = shortened ? length / divisor : 0x1p23 / 0.7;
      ClipLanes<double> block(dimension, 0.0);
      block.put(9, record);
      const SweptRows<double> swept(rule, block, dimension);
      ASSERT_EQ(swept.lanes.within, 1u << 9);
      EXPECT_EQ(swept.lanes.shortened != 0, shortened);
      EXPECT_NEAR(swept.lanes.factor[9] / factor, 1.0, shortened ? 3e-7 : 0.0);
      for (std::size_t j = 0; j < dimension; ++j) {
        ASSERT_EQ(swept.sums[j], std::llrint(record[j] * swept.lanes.factor[9]));
      }
    }
  }
}

TEST(SweepRuleOf, UnusualSettingsAreLeftToTheOtherClipper) {
  EXPECT_TRUE(sweep_rule(ClipTarget{1 << 26, 1.0, 3}));
  EXPECT_FALSE(sweep_rule(ClipTarget{(1 << 26) + 1, 1.0, 3}));
  EXPECT_FALSE(sweep_rule(ClipTarget{1 << 23, 1e-7, 3}));
  EXPECT_FALSE(sweep_rule(ClipTarget{1 << 23, 1e13, 3}));
}

}  // namespace
}  // namespace dpvi
