#pragma once

#include <span>

#include <dpvi/random/secure_generator.hpp>
#include <dpvi/random/seeded_generator.hpp>

namespace dpvi {

// Standard normal draws for public use: Monte Carlo draws of the variational family, predictions.
// They are never the noise of a release, which add_rounded_gaussian adds.
//
// A draw is the middle of the cell of width 2^-25 that contains an exact Gaussian, so the same
// words give the same doubles on every machine.
double standard_normal(SecureStream& stream);
double standard_normal(SeededStream& stream);

void fill_standard_normal(SecureStream& stream, std::span<double> draws);
void fill_standard_normal(SeededStream& stream, std::span<double> draws);

}  // namespace dpvi
