#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <dpvi/privacy/collective.hpp>
#include <dpvi/privacy/gaussian_mechanism.hpp>
#include <dpvi/random/rounded_gaussian.hpp>
#include <tests/support/fixed_key_generator.hpp>
#include <tests/support/one_record_sum.hpp>

// Divides records among workers and releases the reduced sum. The noise comes from a fixed key, so
// it can be subtracted again.

namespace dpvi {
namespace {

constexpr std::uint64_t kKey = 11;
const ClipSettings kSettings{
    .grid = NoiseGrid(2.0), .clip_bound = 1.0, .dimension = 3, .max_records = 100};

// Worker i of `workers` has one record, and no two records are equal. They are shorter than the
// clip bound.
std::vector<double> record_of(int worker) { return {0.5, -0.03125 * (worker + 1), 0.25}; }

PartialSum part_of(int worker) { return one_record_part(kSettings, record_of(worker)); }

std::vector<std::int64_t> integers_without_noise(ClippedSum&& sum) {
  GaussianMechanism mechanism(FixedKeyForTests::generator(kKey));
  const Released released = mechanism.release(std::move(sum));
  std::vector<std::int64_t> noise(kSettings.dimension, 0);
  const SecureGenerator generator = FixedKeyForTests::generator(kKey);
  SecureStream stream = generator.stream({.label = StreamLabel::noise, .step = 0});
  add_rounded_gaussian(stream, noise);
  const double unit = static_cast<double>(kSettings.grid.integer_bound());
  std::vector<std::int64_t> integers;
  for (std::size_t j = 0; j < noise.size(); ++j) {
    integers.push_back(std::llround(released.values()[j] * unit) - noise[j]);
  }
  return integers;
}

// Guarantee: every partial sum counts exactly once, and the result does not depend on the number of
// parts or their order. The noise counts once, too.
TEST(ReducedSums, CountEveryPartOnceAndTheNoiseOnce) {
  for (const int workers : {1, 2, 3, 7}) {
    std::vector<PartialSum> parts, reversed;
    std::vector<std::int64_t> expected(kSettings.dimension, 0);
    for (int worker = 0; worker < workers; ++worker) {
      parts.push_back(part_of(worker));
      reversed.push_back(part_of(workers - 1 - worker));
      const auto own = integers_without_noise(Collective().reduce(part_of(worker)));
      for (std::size_t j = 0; j < own.size(); ++j) expected[j] += own[j];
    }
    EXPECT_EQ(expected[0], workers * kSettings.grid.integer_bound() / 2);
    EXPECT_EQ(integers_without_noise(Collective().reduce(std::move(parts))), expected) << workers;
    EXPECT_EQ(integers_without_noise(Collective().reduce(std::move(reversed))), expected);
  }
}

}  // namespace
}  // namespace dpvi
