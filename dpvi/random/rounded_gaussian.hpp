#pragma once

#include <cstdint>
#include <span>

#include <dpvi/random/secure_generator.hpp>

namespace dpvi {

// The noise has a standard deviation of 2^24 grid steps in every run: one distribution, verified
// once. The clip bound in grid steps sets the noise multiplier.
inline constexpr int kNoiseBits = 24;

// Largest magnitude of a draw.
inline constexpr std::int64_t kNoiseLimit = std::int64_t{16} << kNoiseBits;

// Adds an independent round(N(0, 2^48)) to each sum: a continuous Gaussian rounded to the nearest
// integer. For an integer c, round(c + N) = c + round(N). So a released sum is post-processing of
// the continuous Gaussian mechanism, and its accountants apply without correction.
//
// Guarantee: each draw is within 2^-100 of its law in total variation. (internal/gaussian_draw.hpp
// achieves 2^-188, and is exact except for the cut at 16 standard deviations.)
//
// The time of a draw depends slightly on its value. An attacker who can time single draws is
// outside the threat model, in which only the bundle leaves. Sums must stay kNoiseLimit away from
// the limits of int64.
void add_rounded_gaussian(SecureStream& stream, std::span<std::int64_t> sums);

}  // namespace dpvi
