#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/base/all_cores.hpp>
#include <dpvi/family/location_noise.hpp>
#include <dpvi/fit/plan/loop_plan.hpp>
#include <dpvi/fit/plan/loop_start.hpp>
#include <dpvi/fit/train/executed_privacy_plan.hpp>
#include <dpvi/fit/train/fit_result.hpp>
#include <dpvi/fit/train/loop_outcome.hpp>
#include <dpvi/fit/train/training_loop.hpp>
#include <dpvi/sample/site_target.hpp>

namespace dpvi {

class StepStore;

// Called with the number of completed steps and the total; returning false stops the run. An empty
// function lets it run to the end.
using FitProgress = std::function<bool(std::int64_t done, std::int64_t all)>;

// Settings that affect speed and never privacy.
struct FitSpeed {
  int threads = all_cores();
  bool profile = false;           // time clipping and gradients separately, at a small cost
  StepStore* recorded = nullptr;  // steps of earlier attempts, and the place for new ones
};

struct FittedPosterior {
  // The plan as executed; nullopt for an unprotected or interrupted run.
  std::optional<ExecutedPrivacyPlan> privacy;
  std::vector<double> family_parameters;
  std::vector<std::vector<double>> samples;  // of a chain, in theta
  LocationNoise location_noise;
  // Of a fit by measurements: what the releases say about theta, and how well they agree.
  std::optional<Site> site = std::nullopt, site_without_noise = std::nullopt;
  std::optional<MeasurementEvidence> measured = std::nullopt;
  std::vector<double> clip_bias = {};
  ExecutedLoop loop;
  FitTrace trace;
  LoopTimes times;
  bool completed = false;
};

// Names of the initial values and the coordinates, for the record of the run.
struct StartNames {
  std::string initial_values;
  std::string coordinates;
  std::optional<double> scale = std::nullopt;
};

// Returns the common initial scale, or nullopt if the scales differ.
std::optional<double> common_scale(const LoopStart& start);

// Returns the public settings of a loop as executed.
ExecutedLoop executed_loop(const LoopPlan& plan, const LoopOutcome& outcome,
                           const StartNames& start);

// Passes the number of completed steps on to `progress`, which must outlive the watcher.
StepWatcher watcher_of(const FitProgress& progress, std::int64_t steps);

FittedPosterior fitted_posterior(LoopOutcome outcome, ExecutedLoop loop,
                                 std::optional<ExecutedPrivacyPlan> privacy);

}  // namespace dpvi
