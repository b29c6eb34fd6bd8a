#pragma once

#include <vector>

#include <dpvi/audit/betting_evidence.hpp>
#include <dpvi/privacy/adjacency.hpp>
#include <dpvi/privacy/event.hpp>

namespace dpvi {

inline constexpr double kAuditDelta = 1e-6;  // at which epsilons are reported

// What the accountant claims for a run whose noise multipliers are `noise_factor` times the stated
// ones: upper ends of delta at the epsilons that are attacked.
std::vector<ClaimPoint> claim_points(const GaussianRun& run, Adjacency adjacency,
                                     double noise_factor = 1.0);

// Its epsilon at kAuditDelta, upper end.
double claimed_epsilon(const GaussianRun& run, Adjacency adjacency, double noise_factor = 1.0);

}  // namespace dpvi
