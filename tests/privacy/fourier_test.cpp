#include <dpvi/privacy/fourier.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

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
  for (const std::size_t length : {8u, 243u, 1000u, 2048u}) {
    const ComplexVector values = random_values(length);
    const ComplexVector found = fourier_transform(values);
    const double bound = fourier_error(length) * total(values);
    for (std::size_t k = 0; k < length; k += 7) {
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
