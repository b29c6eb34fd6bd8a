#pragma once

#include <cstddef>
#include <span>

namespace dpvi {

// One gradient entry that equals entry `coordinate` of another gradient times `factor`.
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
