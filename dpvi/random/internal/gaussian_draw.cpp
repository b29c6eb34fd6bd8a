#include <dpvi/random/internal/gaussian_draw.hpp>

#include <cmath>

#include <dpvi/random/internal/certified_bounds.hpp>

namespace dpvi {

// Let m be the magnitude and x = (m + 1/2) / 2^25 < 16. |Z| lies within 2^-26 of x, so Z^2 / 2 lies
// within 2^-22 of x^2 / 2 and the density within a relative 2^-21.9 of exp(-x^2 / 2). Rounding adds
// less than 2^-45: x is exact and x^2 / 2 < 128 is off by at most 2^-46. Little accuracy is needed
// of exp; a relative error below 2^-30 would do. The margin is 2^-21.
Verdict judge_in_double(const GaussianProposal& proposal) {
  constexpr double kMargin = 0x1p-21;
  const double x =
      std::ldexp(static_cast<double>(proposal.magnitude()) + 0.5, -kGaussianFractionBits);
  const double density = static_cast<double>(kGaussianIntervals.peak) * std::exp(-0.5 * x * x);
  const double unit = std::ldexp(static_cast<double>(kGaussianIntervals.weight[proposal.interval]),
                                 -kGaussianHeightBits);
  const double height = static_cast<double>(proposal.height);
  if ((height + 1) * unit < density * (1 - kMargin)) return Verdict::under_density;
  if (height * unit > density * (1 + kMargin)) return Verdict::above_density;
  return Verdict::undecided;
}

// Compares height * weight / 2^height_bits with peak * exp(-Z^2 / 2), both bracketed.
Verdict judge_exactly(const GaussianProposal& proposal, std::span<const std::uint64_t> more_text) {
  BigInteger magnitude = proposal.magnitude();
  BigInteger height = proposal.height;
  unsigned magnitude_bits = kGaussianFractionBits;
  unsigned height_bits = kGaussianHeightBits;
  for (std::size_t i = 0; i + 1 < more_text.size(); i += 2) {
    magnitude = (magnitude << 64) + more_text[i];
    height = (height << 64) + more_text[i + 1];
    magnitude_bits += 64;
    height_bits += 64;
  }
  // exp(-128) is 2^-184.7. The 512 bits beyond those of an exact Z^2 / 2 keep exp's own error far
  // below the uncertainty about Z.
  const unsigned bits = 2 * magnitude_bits + 1 + 512;
  const BigInteger next = magnitude + 1;
  const BigInteger smallest = (magnitude * magnitude) << 512;
  const BigInteger largest = (next * next) << 512;
  const BigInteger weight = kGaussianIntervals.weight[proposal.interval];
  const BigInteger peak = BigInteger(kGaussianIntervals.peak) << height_bits;
  if ((((height + 1) * weight) << bits) <= peak * certified_exp_minus(largest, bits).lower) {
    return Verdict::under_density;
  }
  if (((height * weight) << bits) >= peak * certified_exp_minus(smallest, bits).upper) {
    return Verdict::above_density;
  }
  return Verdict::undecided;
}

}  // namespace dpvi
