#pragma once

#include <optional>
#include <vector>

#include <dpvi/random/seeded_generator.hpp>
#include <dpvi/sample/conditional_normals.hpp>
#include <dpvi/tape/lanes/uniform_function.hpp>

namespace dpvi {

// Nearly independent draws of the unconstrained parameters from the prior as a whole.
struct PriorSample {
  std::vector<std::vector<double>> theta;
  // False for a parameter whose prior does not decay. It is drawn between -1 and 1.
  std::vector<bool> proper;

  // Effects of groups and what their distribution depends on.
  ConditionalLevels levels = {};

  std::vector<double> medians() const;
  // Interquartile ranges, in units of that of a Gaussian with sd 1; infinite for a parameter
  // without a proper prior. `prior` must be that of the draws. It is integrated over a parameter
  // whose prior does not depend on others.
  std::vector<double> spread(const UniformFunction& prior) const;
};

// Draws `count` points. In a hierarchy, effects of groups are drawn given their scale, and the
// scale from its own prior, so that no funnel slows the sampler down. Returns nullopt if the prior
// is undefined at every point tried.
std::optional<PriorSample> sample_prior(const UniformFunction& prior, std::size_t size,
                                        std::size_t count, SeededStream& stream);

}  // namespace dpvi
