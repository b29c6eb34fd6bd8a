#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace dpvi {

// The smallest length >= `wanted` with no prime factor above 5.
std::size_t good_fourier_length(std::size_t wanted);

using ComplexVector = std::vector<std::complex<double>>;

// Unnormalised discrete Fourier transforms of a length as good_fourier_length() returns it. Tables
// of recent lengths are cached. Thread-safe. The result does not depend on the processor.
ComplexVector fourier_transform(const ComplexVector& values);
ComplexVector inverse_fourier_transform(const ComplexVector& values);

// Bound on the absolute error of every output, relative to the sum of the inputs' magnitudes.
//
// Guarantee: no output of a transform differs from its exact value by more. Every intermediate
// value is a sum of inputs times numbers of magnitude at most one. A stage of radix r adds at most
// r + 10 units of rounding in its sums, and 6 in a root of unity and the product with it. It
// divides the length by r, and 24 log2(r) is more than that.
double fourier_error(std::size_t length);

}  // namespace dpvi
