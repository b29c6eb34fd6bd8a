#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <dpvi/gradient/record_gradients.hpp>
#include <dpvi/privacy/collective.hpp>
#include <tests/support/bound_program.hpp>
#include <tests/support/clipped_sum_integers.hpp>
#include <tests/support/lane_neighbours.hpp>

namespace dpvi {
namespace {

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

// Covers the path from record to integers, with gradients as products and with all coordinates
// written out.
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
    ClippedSum sum =
        Collective().reduce(gradients.clipped_sums({.grid = NoiseGrid(1.7),
                                                    .clip_bound = 0.9,
                                                    .dimension = size,
                                                    .max_records = 1u << 20,
                                                    .coordinate = ClipCoordinate{.size = 0.25}},
                                                   coordinates, theta, chosen));
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

// Non-diagonal coordinates make gradients be written out, even if the off-diagonal entry is tiny.
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
