#pragma once

#include <cstddef>
#include <span>

namespace dpvi {

// An entry of a gradient that is one entry of another gradient times a number.
struct GradientTerm {
  std::size_t coordinate = 0;
  double factor = 1.0;
};

inline void add_terms(std::span<const GradientTerm> terms, std::span<const double> from,
                      std::span<double> to) {
  double* entry = to.data();
  for (const GradientTerm& term : terms) *entry++ += from[term.coordinate] * term.factor;
}

}  // namespace dpvi
