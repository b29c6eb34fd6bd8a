#pragma once

#include <vector>

#include <dpvi/fit/trace/dense_gaussian_internal.hpp>
#include <dpvi/tape/lanes/uniform_function.hpp>

namespace dpvi {

// The prior of the release coordinates, roughly.
struct RoughPrior {
  // Medians and spreads of draws from the prior, as if coordinates were independent. It only guides
  // where releases are made: the posterior has the prior itself.
  DenseGaussian gaussian;
  std::vector<double> centre;  // its mean
};
RoughPrior rough_prior(const UniformFunction& prior, const UniformMap& release);

}  // namespace dpvi
