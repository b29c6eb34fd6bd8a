#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <dpvi/base/cpu_features.hpp>
#include <dpvi/gradient/product_kernels.hpp>
#include <dpvi/gradient/record_gradients.hpp>
#include <tests/support/bound_program.hpp>
#include <tests/support/clipped_sum_integers.hpp>
#include <tests/support/hostile_gradients.hpp>
#include <tests/support/lane_block.hpp>
#include <tests/support/lane_neighbours.hpp>

namespace dpvi {
namespace {

// Rows 0 and 1 are written out, then come two products of `count` terms each, with one row between
// them. The second has centres, and both have scales if that is wanted.
template <class T>
class ProductLanesOf {
 public:
  ProductLanesOf(std::size_t count, bool scaled)
      : count_(count), block_(kClipLanes * rows()), columns_(kClipLanes * count), scales_(count) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    for (std::size_t i = 0; i < count; ++i) {
      centres_.push_back(static_cast<T>(normal(random)));
      scales_[i] = static_cast<T>(std::exp(normal(random)));
    }
    const T* scales = scaled ? scales_.data() : nullptr;
    const auto step = static_cast<std::ptrdiff_t>(kClipLanes);
    runs_ = {{2, count, columns_.data(), step, nullptr, scales},
             {3 + count, count, columns_.data(), step, centres_.data(), scales}};
  }

  std::size_t rows() const { return 3 + 2 * count_; }

  // A record: its columns, the rows that are written out, and its two factors.
  struct Record {
    std::vector<T> columns, written, factors;
  };

  void put(std::size_t lane, const Record& record) {
    for (std::size_t i = 0; i < count_; ++i) columns_[i * kClipLanes + lane] = record.columns[i];
    entry(0, lane) = record.written[0];
    entry(1, lane) = record.written[1];
    entry(2 + count_, lane) = record.written[2];
    entry(2, lane) = record.factors[0];
    entry(3 + count_, lane) = record.factors[1];
    active_ |= 1u << lane;
  }

  // What the clipper makes of the block: by products where they take a lane, else written out.
  std::vector<std::vector<std::int32_t>> clip(const ProductKernels<T>& products,
                                              const ClipTarget& target) {
    const ClipArithmetic<T> arithmetic(target);
    LaneBuffer<std::int32_t> integers(kClipLanes * target.width());
    taken_ = products.clip(arithmetic, {block_.data(), rows(), runs_.data(), runs_.size()}, active_,
                           integers.data());
    std::vector<std::vector<std::int32_t>> lanes(kClipLanes);
    const auto take = [&](std::uint32_t wanted) {
      for (std::size_t i = 0; i < integers.size(); ++i) {
        const bool is_wanted = (wanted >> i % kClipLanes & 1u) != 0;
        if (is_wanted) {
          lanes[i % kClipLanes].push_back(integers.data()[i]);
        } else {
          EXPECT_EQ(integers.data()[i], 0);
        }
      }
    };
    take(taken_);
    std::vector<T> written = block_;
    multiply_out(runs_.data(), runs_.size(), written.data());
    clip_block(clip_kernels<T>(), arithmetic, written.data(), rows(), active_ & ~taken_,
               integers.data());
    take(active_ & ~taken_);
    return lanes;
  }

  // The same with all products written out.
  std::vector<std::vector<std::int32_t>> clip_written_out(const ClipTarget& target) const {
    std::vector<T> written = block_;
    multiply_out(runs_.data(), runs_.size(), written.data());
    ClipLanes<T> lanes(rows(), T{0});
    for (std::size_t k = 0; k < kClipLanes; ++k) {
      if ((active_ >> k & 1u) == 0) continue;
      std::vector<T> record(rows());
      for (std::size_t j = 0; j < rows(); ++j) record[j] = written[j * kClipLanes + k];
      lanes.put(k, record);
    }
    return lanes.clip(clip_kernels<T>(), target);
  }

  std::uint32_t taken() const { return taken_; }

 private:
  T& entry(std::size_t row, std::size_t lane) { return block_[row * kClipLanes + lane]; }

  std::size_t count_;
  std::vector<T> block_, columns_, centres_, scales_;
  std::vector<ProductRun<T>> runs_;
  std::uint32_t active_ = 0, taken_ = 0;
};

template <class T>
class Products : public testing::Test {
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
        for (const double clip_bound : {1.0, 1e-3, 1e3, 1e-100, 1e100}) {
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
TYPED_TEST_SUITE(Products, Precisions);

// Guarantee: the integers of each lane, its clip coordinate included, have an exact Euclidean norm
// of at most integer_bound.
TYPED_TEST(Products, NormNeverExceedsIntegerBound) {
  this->for_targets([&](std::size_t count, bool scaled, const ClipTarget& target) {
    ProductLanesOf<TypeParam> block(count, scaled);
    for (int k = 0; k < 16; ++k) {
      block.put(static_cast<std::size_t>(k), this->any_record(count, k + 16 * scaled));
    }
    for (const auto& integers : block.clip(product_kernels<TypeParam>(), target)) {
      ASSERT_TRUE(exact_square_sum(integers) <= exact_square(target.integer_bound));
    }
  });
}

TYPED_TEST(Products, RecordGivesTheSameIntegersInEveryLaneBesideAnyNeighbours) {
  this->for_targets([&](std::size_t count, bool scaled, const ClipTarget& target) {
    const int number = static_cast<int>(count) + (target.marks ? 3 : 0);
    ProductLanesOf<TypeParam> alone(count, scaled);
    alone.put(0, this->any_record(count, number));
    const std::vector<std::int32_t> expected = alone.clip(product_kernels<TypeParam>(), target)[0];
    for (std::size_t lane = 0; lane < kClipLanes; ++lane) {
      ProductLanesOf<TypeParam> block(count, scaled);
      for (std::size_t other = lane % 3; other < kClipLanes; other += 2) {
        block.put(other, this->any_record(count, static_cast<int>(7 * lane + other)));
      }
      block.put(lane, this->any_record(count, number));
      ASSERT_EQ(block.clip(product_kernels<TypeParam>(), target)[lane], expected);
    }
  });
}

TYPED_TEST(Products, EveryProcessorGivesTheSameIntegers) {
  if (!cpu_has_avx2_and_fma()) GTEST_SKIP() << "this processor has no AVX2";
  this->for_targets([&](std::size_t count, bool scaled, const ClipTarget& target) {
    for (int first = 0; first < 64; first += 16) {
      ProductLanesOf<TypeParam> block(count, scaled);
      for (int k = 0; k < 15; ++k) {
        block.put(static_cast<std::size_t>(k), this->any_record(count, first + k));
      }
      const auto baseline = block.clip(baseline_product_kernels<TypeParam>(), target);
      const std::uint32_t taken = block.taken();
      ASSERT_EQ(baseline, block.clip(avx2_product_kernels<TypeParam>(), target));
      ASSERT_EQ(taken, block.taken());
    }
  });
}

// The norm's square is summed in T, the multiplier is rounded toward zero, and a clipped record may
// be truncated twice: four units of T and two steps of the grid.
TYPED_TEST(Products, IntegersAreThoseOfProductsWrittenOutWithinTheRoundingStated) {
  this->for_targets([&](std::size_t count, bool scaled, const ClipTarget& target) {
    ProductLanesOf<TypeParam> block(count, scaled);
    for (int k = 0; k < 16; ++k) {
      block.put(static_cast<std::size_t>(k), this->any_record(count, k + 40));
    }
    const auto integers = block.clip(product_kernels<TypeParam>(), target);
    const auto expected = block.clip_written_out(target);
    const double unit = 4.0 * static_cast<double>(std::numeric_limits<TypeParam>::epsilon());
    const double close = 2.0 + unit * static_cast<double>(target.integer_bound);
    for (std::size_t k = 0; k < kClipLanes; ++k) {
      for (std::size_t j = 0; j < 3 + 2 * count; ++j) {
        ASSERT_LE(std::fabs(static_cast<double>(integers[k][j]) - expected[k][j]), close)
            << "lane " << k << " row " << j << " bound " << target.integer_bound;
      }
      ASSERT_EQ(all_zero(integers[k]), all_zero(expected[k])) << "lane " << k;
    }
  });
}

TYPED_TEST(Products, OrdinaryRecordsAndRecordsOfZerosAreTaken) {
  const std::size_t count = 11;
  const ClipTarget target{1 << 23, 1.0, 3 + 2 * count};
  ProductLanesOf<TypeParam> block(count, true);
  HostileGradients<TypeParam> columns(count), three(3), two(2);
  for (std::size_t k = 0; k < kClipLanes; ++k) {
    block.put(k, {k % 2 == 0 ? columns.filled(0) : columns.normal(1.0), three.normal(1.0),
                  k % 5 == 0 ? two.filled(0) : two.normal(1.0)});
  }
  block.clip(product_kernels<TypeParam>(), target);
  EXPECT_EQ(block.taken(), 0xffffu);
}

constexpr const char* kPrograms[] = {R"(
data { int N; int D; matrix[N, D] x; array[N] int<lower=0, upper=1> y; }
parameters { real alpha; vector[D] beta; }
model { y ~ bernoulli_logit(alpha + x * beta); }
)",
                                     R"(
data { int N; int D; array[N] vector[D] x; array[N] int<lower=0, upper=1> y; }
parameters { vector[3] a; array[2] vector[D] mu; }
model {
  for (n in 1:N)
    target += log_sum_exp(a[1] + normal_lpdf(x[n] | mu[1], 1.5), a[2] + normal_lpdf(x[n] | mu[2], exp(a[3]))) + 0 * y[n];
}
)"};

// From record to integers, with products and by all of a gradient's coordinates.
class GradientsWithProducts : public testing::TestWithParam<std::tuple<int, Precision>> {
 protected:
  static constexpr std::int32_t kColumns = 33;

  static RecordTable raw() {
    RecordTable table(kColumns, 1);
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    const double sizes[] = {1.0, 1.0, 1.0, 0.0, 1e30, 1e-30, 1e300, 1e-42, 1e16, 1e-300};
    for (int i = 0; i < 120; ++i) {
      std::vector<double> x(kColumns);
      for (double& entry : x) entry = sizes[i % 10] * normal(random);
      if (i % 23 == 0) x[2] = std::numeric_limits<double>::infinity();
      if (i % 29 == 0) x[5] = std::numeric_limits<double>::quiet_NaN();
      table.append(x, std::vector<std::int32_t>{i % 2});
    }
    return table;
  }

  Coordinates diagonal(double last_turn = 0.0) const {
    const std::size_t size = model_.dimension();
    std::vector<double> factor(size * size, 0.0);
    for (std::size_t i = 0; i < size; ++i)
      factor[i * size + i] = 0.3 + 0.02 * static_cast<double>(i);
    factor[size * (size - 1)] = last_turn;
    return {std::vector<double>(size, 0.0), factor};
  }

  Integers integers(std::span<const std::uint64_t> chosen, const Coordinates& coordinates,
                    int threads = 1) {
    const std::size_t size = model_.dimension();
    std::vector<double> theta(size);
    for (std::size_t i = 0; i < size; ++i) theta[i] = 0.4 - 0.02 * static_cast<double>(i);
    RecordGradients gradients(model_.tape(), records_, threads);
    ClippedSum sum = gradients.clipped_sum({.grid = NoiseGrid(1.7),
                                            .clip_bound = 0.9,
                                            .dimension = size,
                                            .max_records = 1u << 20,
                                            .coordinate = ClipCoordinate{.size = 0.25}},
                                           coordinates, theta, chosen);
    return integers_for_tests(sum);
  }

  std::vector<std::uint64_t> all() const {
    std::vector<std::uint64_t> chosen(records_.record_count());
    std::iota(chosen.begin(), chosen.end(), 0u);
    return chosen;
  }

  const RecordModel model_ = bind_program(kPrograms[std::get<0>(GetParam())], "",
                                          {{"D", PublicValue::integer(kColumns, "test")}})
                                 .model;
  const RecordTable records_ = model_.prepare(raw(), std::get<1>(GetParam()));
};

TEST_P(GradientsWithProducts, TapeShowsThem) {
  EXPECT_EQ(model_.tape().products().size(), std::get<0>(GetParam()) == 0 ? 1u : 2u);
}

TEST_P(GradientsWithProducts, ARecordsIntegersDoNotDependOnItsLaneOrNeighbours) {
  for (const std::uint64_t record : all()) {
    const Integers alone = integers(std::vector{record}, diagonal());
    expect_alone_in_every_lane(record, records_.record_count(), alone,
                               [&](const auto& chosen) { return integers(chosen, diagonal()); });
  }
}

TEST_P(GradientsWithProducts, SumIsTheSameForAnyNumberOfThreadsAndAnyOrderOfTheRecords) {
  expect_same_for_any_threads_and_order(all(), [&](const auto& chosen, int threads) {
    return integers(chosen, diagonal(), threads);
  });
}

// Coordinates that turn, if only by nothing, have gradients written out.
TEST_P(GradientsWithProducts, AgreeWithGradientsWrittenOut) {
  for (const std::uint64_t record : all()) {
    const Integers products = integers(std::vector{record}, diagonal());
    const Integers written = integers(std::vector{record}, diagonal(1e-300));
    for (std::size_t j = 0; j < products.size(); ++j) {
      ASSERT_NEAR(static_cast<double>(products[j]), static_cast<double>(written[j]), 8.0)
          << "record " << record << " coordinate " << j;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, GradientsWithProducts,
                         testing::Combine(testing::Values(0, 1),
                                          testing::Values(Precision::single_precision,
                                                          Precision::double_precision)));

}  // namespace
}  // namespace dpvi
