#pragma once

#include <optional>
#include <vector>

#include <dpvi/random/seeded_generator.hpp>
#include <dpvi/tape/lanes/uniform_function.hpp>

namespace dpvi {

// Draws unconstrained parameters approximately from the prior. A parameter whose prior does not
// decay (for example, none is stated) is drawn between -1 and 1. Returns nullopt if the prior is
// undefined at every point tried.
std::optional<std::vector<double>> draw_from_prior(const UniformFunction& prior, std::size_t size,
                                                   SeededStream& stream);

// Returns several nearly independent draws, or an empty list if the prior is undefined.
std::vector<std::vector<double>> draws_from_prior(const UniformFunction& prior, std::size_t size,
                                                  std::size_t count, SeededStream& stream);

// Centre and spread of each unconstrained parameter under the prior, robust against its tails: the
// median, and a multiple of the median distance from it that is the standard deviation of a
// Gaussian. The spread is infinite for a parameter whose prior does not decay, and for one whose
// prior depends on other parameters: no sampler is sure to find its marginal prior quickly.
struct PriorSpread {
  std::vector<double> centre;
  std::vector<double> sd;
};

// Returns nullopt if the prior is undefined, or with more parameters than can be drawn quickly.
std::optional<PriorSpread> prior_spread(const UniformFunction& prior, std::size_t size,
                                        SeededStream& stream);

}  // namespace dpvi
