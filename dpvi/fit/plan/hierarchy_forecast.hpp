#pragma once

#include <vector>

#include <dpvi/fit/plan/noise_forecast.hpp>
#include <dpvi/sample/conditional_normals.hpp>
#include <dpvi/tape/lanes/uniform_function.hpp>

namespace dpvi {

// What draws from the prior say about each unconstrained parameter. The lists are empty if the
// prior has no value, or with more parameters than can be drawn quickly.
struct PriorFacts {
  std::vector<double> sd;  // spread of the draws; infinite without a proper prior
  std::vector<double> median;
  ConditionalLevels levels;  // effects of groups and what their distribution depends on
};

// Draws with a fixed seed.
PriorFacts prior_facts(const UniformFunction& prior, std::size_t size);

// Replaces prior sds, which a forecast takes from the curvature at one point, by those of draws,
// and completes what the forecast says about a hierarchy.
//
// The forecast holds what records say about the effects of groups. Given the scale of the effects,
// which is taken as its prior median, they are shrunk towards each other, and a scale or mean that
// no record uses follows from the effects: J effects that are known exactly know its logarithm up
// to 1 / sqrt(2 J).
void add_prior(NoiseForecast& forecast, const std::vector<bool>& used_by_records,
               const PriorFacts& prior);

}  // namespace dpvi
