#pragma once

#include <cstddef>
#include <vector>

#include <dpvi/fit/trace/dense_gaussian_internal.hpp>
#include <dpvi/tape/lanes/uniform_function.hpp>

namespace dpvi {

// A Gaussian with the medians and spreads of draws from the prior, as if parameters were
// independent. It only guides where releases are made: the posterior has the prior itself. `used`
// are the places of some of the `size` parameters.
DenseGaussian rough_prior(const UniformFunction& prior, std::size_t size,
                          const std::vector<std::size_t>& used);

}  // namespace dpvi
