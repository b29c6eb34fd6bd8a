#pragma once

#include <utility>
#include <vector>

#include <dpvi/family/make_family.hpp>
#include <dpvi/fit/train/executed_plan.hpp>
#include <dpvi/fit/train/training_loop.hpp>
#include <tests/support/bound_program.hpp>

namespace dpvi {

// Runs the plan's phases with the real loop on an empty table.
inline LoopOutcome run_without_records(const GaussianRun& run) {
  LoopPlan plan;
  for (const GaussianPhase& phase : run) {
    plan.phases.push_back({.sampling_rate = SamplingRate::from_double(phase.sampling_rate),
                           .grid = NoiseGrid(phase.noise_multiplier),
                           .steps = phase.steps});
  }
  const RecordModel model = bind_program(kMeanProgram).model;
  const RecordTable none(1, 0);
  RecordGradients gradients(model.tape(), none, 1);
  return run_private_loop(plan, {&model.prior(), &gradients, model.used_by_records()},
                          *make_family(FamilyKind::mean_field, 1), {Coordinates::identity(1), 0.02},
                          [](std::int64_t, const Released&) { return true; });
}

// Returns a plan that really ran, with the given family parameters as its result.
inline ExecutedPlan executed(const PrivacyPlan& plan, std::vector<double> family_parameters) {
  LoopOutcome outcome = run_without_records(plan.run);
  outcome.parameters = std::move(family_parameters);
  return {plan, outcome};
}

}  // namespace dpvi
