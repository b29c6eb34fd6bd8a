#pragma once

#include <cstdint>
#include <span>

#include <dpvi/random/secure_generator.hpp>

namespace dpvi {

// Noise has a standard deviation of 2^24 grid steps, in every run: one law, verified once. The
// noise multiplier is set by the clip bound in grid steps instead.
inline constexpr int kNoiseBits = 24;

// No draw is larger in magnitude.
inline constexpr std::int64_t kNoiseLimit = std::int64_t{16} << kNoiseBits;

// Adds to each sum its own independent round(N(0, 2^48)), a continuous Gaussian rounded to the
// nearest integer. As round(c + N) = c + round(N) for an integer c, a released sum is
// post-processing of the continuous Gaussian mechanism and its accountants apply as they are.
//
// Guarantee: each draw is within 2^-100 of its law in total variation (internal/gaussian_draw.hpp:
// 2^-188, and exact in everything but the cut at 16 standard deviations).
//
// The time of a draw depends a little on its value: an attacker who can time single draws is
// outside the model, in which only the bundle leaves. Sums must keep kNoiseLimit away from the
// limits of int64.
void add_rounded_gaussian(SecureStream& stream, std::span<std::int64_t> sums);

}  // namespace dpvi
