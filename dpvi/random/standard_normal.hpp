#pragma once

#include <span>

#include <dpvi/random/secure_generator.hpp>
#include <dpvi/random/seeded_generator.hpp>

namespace dpvi {

// Standard normal draws for public use: Monte Carlo draws of the variational family, predictions.
// Never the noise of a release: that is add_rounded_gaussian.
//
// The middle of the 2^-25 wide cell in which an exact Gaussian fell, so the same words give the
// same doubles on every machine.
double standard_normal(SecureStream& stream);
double standard_normal(SeededStream& stream);

void fill_standard_normal(SecureStream& stream, std::span<double> draws);
void fill_standard_normal(SeededStream& stream, std::span<double> draws);

}  // namespace dpvi
