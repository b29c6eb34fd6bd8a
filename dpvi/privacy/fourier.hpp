#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace dpvi {

// The smallest length >= `wanted` with no prime factor above 5.
std::size_t good_fourier_length(std::size_t wanted);

using ComplexVector = std::vector<std::complex<double>>;

// Unnormalised discrete Fourier transforms. Tables of recent lengths are cached. Thread-safe.
ComplexVector fourier_transform(const ComplexVector& values);
ComplexVector inverse_fourier_transform(ComplexVector values);

// Bound on the absolute error of every output, relative to the sum of the inputs' magnitudes.
//
// Guarantee: no output of a transform differs from its exact value by more. Every intermediate
// value is a sum of inputs times numbers of magnitude one. Each of at most log2(length) stages
// multiplies by a root of unity with an error of at most 15 units, and adds.
double fourier_error(std::size_t length);

}  // namespace dpvi
