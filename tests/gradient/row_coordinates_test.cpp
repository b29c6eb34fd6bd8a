#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include <dpvi/base/error.hpp>
#include <dpvi/gradient/record_gradients.hpp>
#include <dpvi/privacy/collective.hpp>
#include <tests/support/bound_program.hpp>
#include <tests/support/clipped_sum_integers.hpp>

namespace dpvi {
namespace {

constexpr std::int32_t kOwn = GradientRows::kOwn;

ClipSettings settings_of(std::size_t dimension) {
  return {.grid = NoiseGrid(1.7),
          .clip_bound = 0.9,
          .dimension = dimension,
          .max_records = 1u << 20,
          .coordinate = ClipCoordinate{.size = 0.25, .unshortened_share = 0.9}};
}

// Guarantee: a lane that distinct_lanes() names has no two rows of the same coordinate.
TEST(RowCoordinates, LaneThatDistinctLanesNamesHasNoTwoRowsOfTheSameCoordinate) {
  const RowCoordinates places(GradientRows{{2, kOwn, kOwn, kOwn, 9}, 3}, 10);
  const std::vector<std::vector<std::int32_t>> lanes = {
      {3, 4, 8},
      {3, 4, kNoCoordinate},
      {kNoCoordinate, kNoCoordinate, 5},
      {3, 3, 8},
      {4, 3, 8},
      {2, 4, 8},
      {3, 4, 9},
      {3, 4, 10},
      {3, 4, 1000000},
      {-2, 4, 8},
      {3, kNoCoordinate, 3},
      {kNoCoordinate, kNoCoordinate, kNoCoordinate},
      {3, -7, 4}};
  std::vector<std::int32_t> own(3 * kClipLanes, kNoCoordinate);
  for (std::size_t k = 0; k < lanes.size(); ++k) {
    for (std::size_t row = 0; row < 3; ++row) own[row * kClipLanes + k] = lanes[k][row];
  }
  EXPECT_EQ(places.distinct_lanes(own.data()) & 0x1fffu, 0b0100000000111u);
}

TEST(RowCoordinates, RowsOutOfOrderAreRefused) {
  EXPECT_THROW(RowCoordinates(GradientRows{{2, 1}, 0}, 10), InternalError);
  EXPECT_THROW(RowCoordinates(GradientRows{{2, 2}, 0}, 10), InternalError);
  EXPECT_THROW(RowCoordinates(GradientRows{{2, 10}, 0}, 10), InternalError);
  EXPECT_NO_THROW(RowCoordinates(GradientRows{{}, 0}, 10));
}

TEST(RowCoordinates, ALaneThatNamesACoordinateTwiceCountsAsZero) {
  GridClipper clipper(settings_of(10), GradientRows{{kOwn, kOwn}, 2});
  std::vector<float> block(2 * kClipLanes, 1.0F);
  std::vector<std::int32_t> own(2 * kClipLanes, 4);
  clipper.add(std::span<const float>(block), 0xffff, own);
  ClippedSum sum = Collective().reduce(clipper.take_sum());
  EXPECT_EQ(integers_for_tests(sum), std::vector<std::int64_t>(11, 0));
}

constexpr const char* kGroups = R"(
data { int N; int J; array[N] int<lower=1, upper=J> g; array[N] int<lower=1, upper=J> h; vector[N] x; }
parameters { real mu; real<lower=0> tau; vector[J] a; real b; }
model {
  a ~ normal(0, 1);
  x ~ normal(mu + tau * (a[g] - a[h]) + b, 1);
}
)";

// Records have two groups, sometimes equal and sometimes invalid, and values of every size.
class GradientsInRows : public testing::TestWithParam<Precision> {
 protected:
  static constexpr std::int32_t kCount = 400;

  GradientsInRows() : records_(model_.prepare(raw(), GetParam())) {}

  static RecordTable raw() {
    RecordTable table(1, 2);
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    for (int i = 0; i < 200; ++i) {
      const auto first = static_cast<std::int32_t>(random() % kCount);
      const auto second = i % 5 == 0 ? first : static_cast<std::int32_t>(random() % kCount);
      const double size = i % 11 == 0 ? 1e30 : i % 13 == 0 ? 1e300 : 1.0;
      table.append(std::vector<double>{size * normal(random)},
                   std::vector<std::int32_t>{first + 1, i % 17 == 0 ? 0 : second + 1});
    }
    return table;
  }

  std::vector<double> theta() const {
    std::mt19937_64 random(4);
    std::normal_distribution<double> normal;
    std::vector<double> numbers(model_.dimension());
    for (double& number : numbers) number = normal(random);
    return numbers;
  }

  std::vector<std::uint64_t> all() const {
    std::vector<std::uint64_t> chosen(records_.record_count());
    std::iota(chosen.begin(), chosen.end(), 0u);
    return chosen;
  }

  // With more rows, squares are added in another order. In single precision this changes the last
  // digits of a norm, and hence a shortened record by a step or two.
  static void expect_close(const std::vector<std::int64_t>& integers,
                           const std::vector<std::int64_t>& expected) {
    ASSERT_EQ(integers.size(), expected.size());
    if (GetParam() == Precision::double_precision) {
      EXPECT_EQ(integers, expected);
      return;
    }
    for (std::size_t j = 0; j < expected.size(); ++j) {
      EXPECT_LE(std::abs(integers[j] - expected[j]), 6) << "coordinate " << j;
      EXPECT_EQ(integers[j] == 0, expected[j] == 0) << "coordinate " << j;
    }
  }

  template <class T>
  std::vector<std::int64_t> with_all_coordinates() const {
    TapeWorkspace<T> workspace(model_.tape());
    const std::vector<double> at = theta();
    model_.tape().begin_draw(workspace, at);
    GridClipper clipper(settings_of(at.size()));
    std::vector<T> reals(records_.real_slots() * kClipLanes), gradient(at.size() * kClipLanes);
    std::vector<std::int32_t> integers(records_.integer_slots() * kClipLanes);
    T values[kClipLanes];
    const std::vector<std::uint64_t> chosen = all();
    for (std::size_t first = 0; first < chosen.size(); first += kClipLanes) {
      const auto block =
          std::span(chosen).subspan(first, std::min(kClipLanes, chosen.size() - first));
      std::uint32_t lanes = records_.load_lanes(block, std::span(reals), integers);
      model_.tape().evaluate_block(workspace, {reals.data(), integers.data()}, values,
                                   gradient.data());
      for (std::size_t k = 0; k < kClipLanes; ++k) {
        if (!std::isfinite(values[k])) lanes &= ~(1u << k);
      }
      clipper.add(std::span<const T>(gradient), lanes);
    }
    ClippedSum sum = Collective().reduce(clipper.take_sum());
    return integers_for_tests(sum);
  }

  const RecordModel model_ =
      bind_program(kGroups, "", {{"J", PublicValue::integer(kCount, "test")}}).model;
  const RecordTable records_;
};

TEST_P(GradientsInRows, GiveTheIntegersThatGradientsWithAllCoordinatesGive) {
  EXPECT_LE(model_.tape().rows().size(), 5);
  RecordGradients gradients(model_.tape(), records_, 2);
  const std::vector<double> at = theta();
  ClippedSum sum = Collective().reduce(
      gradients.clipped_sums(settings_of(at.size()), Coordinates::identity(at.size()), at, all()));
  const bool single = GetParam() == Precision::single_precision;
  expect_close(integers_for_tests(sum),
               single ? with_all_coordinates<float>() : with_all_coordinates<double>());
}

TEST_P(GradientsInRows, DiagonalCoordinatesScaleRows) {
  const std::size_t size = model_.dimension();
  std::vector<double> factor(size * size, 0.0);
  for (std::size_t i = 0; i < size; ++i) factor[i * size + i] = i % 2 == 0 ? 0.5 : 2.0;
  std::vector<double> turned = factor;
  turned[size * (size - 1)] = 1e-300;  // off-diagonal, negligibly small
  const std::vector<double> centre(size, 0.0);
  RecordGradients gradients(model_.tape(), records_, 1);
  const auto integers = [&](const Coordinates& coordinates) {
    ClippedSum sum =
        Collective().reduce(gradients.clipped_sums(settings_of(size), coordinates, theta(), all()));
    return integers_for_tests(sum);
  };
  expect_close(integers({centre, factor}), integers({centre, turned}));
}

INSTANTIATE_TEST_SUITE_P(Precisions, GradientsInRows,
                         testing::Values(Precision::single_precision, Precision::double_precision),
                         [](const auto& precision) {
                           return precision.param == Precision::single_precision ? "Single"
                                                                                 : "Double";
                         });

}  // namespace
}  // namespace dpvi
