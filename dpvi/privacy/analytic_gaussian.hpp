#pragma once

#include <dpvi/privacy/bracket.hpp>

namespace dpvi {

// Privacy of the Gaussian mechanism without sampling (Balle & Wang 2018, Theorem 8): two unit
// normals whose means are `mean_shift` apart. T steps of noise multiplier s have
// mean_shift = sqrt(T) / s under add/remove and twice that under substitution.
Bracket analytic_gaussian_delta(double mean_shift, double epsilon);
Bracket analytic_gaussian_epsilon(double mean_shift, double delta);

}  // namespace dpvi
