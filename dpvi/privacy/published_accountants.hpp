#pragma once

#include <span>

#include <dpvi/privacy/event.hpp>

namespace dpvi {

// Accountants of Jälkö, Dikmen & Honkela (2017) and of the code behind its figures. They exist to
// reproduce published numbers; privacy claims use pld_epsilon.

struct MomentsEpsilon {
  double epsilon = 0.0;
  int order = 0;  // the paper's lambda
};

// Moments accountant (Abadi et al. 2016) for add/remove, with lambda = 1..99 and the classic tail
// bound: min over lambda of (sum of log moments - log delta) / lambda. A valid upper bound.
MomentsEpsilon moments_epsilon(std::span<const GaussianPhase> run, double delta);

// Advanced composition with amplification by sampling, accounted for as in the paper. Of delta,
// delta_prime is spent on composition. Takes one phase only.
double advanced_composition_epsilon(const GaussianPhase& phase, double delta, double delta_prime);

// The bounded-DP figure of the published code: 2 * advanced composition at twice the noise, half
// the delta and delta_prime = 4e-5. It is not a valid (epsilon, delta) claim under substitution:
// group privacy turns (epsilon/2, delta/2) into (epsilon, (1 + e^(epsilon/2)) delta/2).
double published_advanced_composition_epsilon(const GaussianPhase& phase, double delta);

}  // namespace dpvi
