#pragma once

#include <optional>
#include <vector>

#include <dpvi/random/seeded_generator.hpp>
#include <dpvi/tape/uniform_function.hpp>

namespace dpvi {

// Unconstrained parameters drawn about as the prior has them. A parameter whose prior does not fall
// off (none is stated, say) is drawn between -1 and 1. Nothing if the prior has no value at any
// point that was tried.
std::optional<std::vector<double>> draw_from_prior(const UniformFunction& prior, std::size_t size,
                                                   SeededStream& stream);

// Several such draws, nearly independent; none if the prior has no value.
std::vector<std::vector<double>> draws_from_prior(const UniformFunction& prior, std::size_t size,
                                                  std::size_t count, SeededStream& stream);

}  // namespace dpvi
