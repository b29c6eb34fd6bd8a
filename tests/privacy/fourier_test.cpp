#include <dpvi/privacy/fourier.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include <dpvi/base/cpu_features.hpp>
#include <dpvi/privacy/fourier_stage.hpp>

namespace dpvi {
namespace {

ComplexVector random_values(std::size_t length) {
  std::mt19937_64 generator(3);
  std::uniform_real_distribution<double> uniform(0, 1);
  ComplexVector values(length);
  for (auto& value : values) value = {uniform(generator), uniform(generator)};
  return values;
}

double total(const ComplexVector& values) {
  double sum = 0;
  for (const auto& value : values) sum += std::abs(value);
  return sum;
}

TEST(Fourier, LengthsHaveSmallFactorsOnly) {
  EXPECT_EQ(good_fourier_length(1024), 1024);
  EXPECT_EQ(good_fourier_length(1025), 1080);
  EXPECT_EQ(good_fourier_length(7), 8);
}

// Guarantee: no output of a transform differs from its exact value by more. The exact values are
// sums in long double.
TEST(Fourier, ErrorStaysWithinItsBound) {
  for (const std::size_t length : {2u, 3u, 5u, 8u, 12u, 30u, 243u, 625u, 1000u, 1080u, 2048u}) {
    const ComplexVector values = random_values(length);
    const ComplexVector found = fourier_transform(values);
    const double bound = fourier_error(length) * total(values);
    for (std::size_t k = 0; k<length; k += length> 100 ? 7 : 1) {
      std::complex<long double> exact = 0;
      for (std::size_t j = 0; j < length; ++j) {
        const long double turns =
            static_cast<long double>((j * k) % length) / static_cast<long double>(length);
        const long double angle = -2 * std::acos(-1.0L) * turns;
        exact += std::complex<long double>(values[j]) *
                 std::complex<long double>(std::cos(angle), std::sin(angle));
      }
      const std::complex<long double> error = std::complex<long double>(found[k]) - exact;
      EXPECT_LE(static_cast<double>(std::abs(error)), bound);
    }
  }
}

TEST(Fourier, TheResultDoesNotDependOnTheProcessor) {
  if (!cpu_has_avx2_and_fma()) GTEST_SKIP() << "this processor has one of the two versions only";
  std::mt19937_64 generator(4);
  std::normal_distribution<double> normal;
  for (const std::size_t radix : {2u, 3u, 4u, 5u}) {
    for (const std::size_t stride : {1u, 3u, 4u, 20u}) {
      constexpr std::size_t kBlocks = 7;
      const auto random = [&](std::size_t count) {
        std::vector<double> values(count);
        for (double& value : values) value = normal(generator);
        return values;
      };
      const FourierStage stage{radix, kBlocks, stride, random((radix - 1) * kBlocks),
                               random((radix - 1) * kBlocks)};
      const std::size_t length = radix * kBlocks * stride;
      std::vector<double> re = random(length), im = random(length);
      std::vector<double> re1(length), im1(length), re2(length), im2(length);
      run_stage_portable(stage, {re.data(), im.data()}, {re1.data(), im1.data()});
      run_stage_avx2(stage, {re.data(), im.data()}, {re2.data(), im2.data()});
      EXPECT_EQ(re1, re2) << "radix " << radix << ", stride " << stride;
      EXPECT_EQ(im1, im2) << "radix " << radix << ", stride " << stride;
    }
  }
}

TEST(Fourier, InverseUndoesTheTransformWithinTheBound) {
  const std::size_t length = std::size_t{1} << 17;
  const ComplexVector values = random_values(length);
  const ComplexVector back = inverse_fourier_transform(fourier_transform(values));
  const double bound = 2 * fourier_error(length) * total(values);
  for (std::size_t j = 0; j < length; j += 101)
    EXPECT_LE(std::abs(back[j] / static_cast<double>(length) - values[j]), bound);
}

}  // namespace
}  // namespace dpvi
