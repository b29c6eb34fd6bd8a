#pragma once

#include <span>
#include <vector>

#include <dpvi/family/family.hpp>
#include <dpvi/random/seeded_generator.hpp>

namespace dpvi {

// Draws from a fitted posterior, on the unconstrained scale. The posterior is already public, so
// anyone may know the seed.
std::vector<std::vector<double>> posterior_draws(const Family& family,
                                                 std::span<const double> parameters,
                                                 std::size_t count,
                                                 const SeededGenerator& generator);

}  // namespace dpvi
