#pragma once

#include <complex>
#include <cstddef>
#include <span>

namespace dpvi {

// The smallest length >= `wanted` with no prime factor above 5.
std::size_t good_fourier_length(std::size_t wanted);

// Unnormalised discrete Fourier transform, out of place.
void fourier_transform(std::span<const std::complex<double>> in,
                       std::span<std::complex<double>> out, bool inverse);

// Bound on the absolute error of every output, per unit of the inputs' summed magnitudes: each
// stage multiplies by a root of unity that is off by at most 15 units and adds. (Every intermediate
// value is a sum of inputs times numbers of magnitude one.)
double fourier_error(std::size_t length);

}  // namespace dpvi
