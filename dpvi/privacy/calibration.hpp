#pragma once

#include <span>

#include <dpvi/privacy/adjacency.hpp>
#include <dpvi/privacy/bracket.hpp>
#include <dpvi/privacy/event.hpp>
#include <dpvi/privacy/pld.hpp>

namespace dpvi {

struct PrivacyTarget {
  Adjacency adjacency = Adjacency::substitute;
  double epsilon = 1.0;
  double delta = 1e-6;
};

// Guarantee: a calibrated run's epsilon, as certified by its upper end, is at most the target.
struct CalibratedRun {
  GaussianRun run;
  Bracket epsilon;  // of the run, at the target's delta
};

// The least noise that meets the target. The phases' noise multipliers are relative: one factor
// scales them all. Throws UsageError (not solvable) if no factor meets the target.
CalibratedRun calibrate_noise(std::span<const GaussianPhase> relative, const PrivacyTarget& target,
                              const PldEffort& effort = {});

// The same, with every noise multiplier on the mechanism's grid (NoiseGrid). A run of one phase
// gets the largest integer bound that meets the target.
CalibratedRun calibrate_noise_on_grid(std::span<const GaussianPhase> relative,
                                      const PrivacyTarget& target, const PldEffort& effort = {});

// The most steps that meet the target; `phase.steps` is ignored. Throws UsageError if not even one
// step meets it, or if more than kMaxSteps would.
CalibratedRun calibrate_steps(GaussianPhase phase, const PrivacyTarget& target,
                              const PldEffort& effort = {});

}  // namespace dpvi
