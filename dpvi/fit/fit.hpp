#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/family/gaussian_family.hpp>
#include <dpvi/fit/fit_result.hpp>
#include <dpvi/fit/noise_forecast.hpp>
#include <dpvi/fit/privacy_plan.hpp>
#include <dpvi/fit/record_model.hpp>

namespace dpvi {

// How a fit is to be done. Every default is a number fixed in advance or made of public facts.
struct FitSettings {
  FamilyKind family = FamilyKind::mean_field;
  std::optional<double> clip_bound;     // default: 95 % quantile of made-up records' norms
  std::optional<double> learning_rate;  // default: 1 / sqrt(steps)
  double averaged_share = 0.65;         // of the iterates, counted from the end
  double initial_scale = 0.02;          // standard deviations at the start; locations start at 0
  std::int64_t draws = 1000;            // from the fitted posterior
};

// How fast, never how private.
struct FitSpeed {
  int threads = 1;
};

// Called with steps done and steps in all; false stops the run.
using FitProgress = std::function<bool(std::int64_t done, std::int64_t all)>;

struct FittedPosterior {
  std::vector<double> family_parameters;
  LoopSettings loop;
  bool completed = false;
};

// Runs the private loop of the plan, which has one phase, on prepared records.
FittedPosterior fit_privately(const RecordModel& model, const RecordTable& records,
                              const PrivacyPlan& plan, const FitSettings& settings,
                              const MockStudy& study, const FitSpeed& speed,
                              const FitProgress& progress);

// The same loop without protection. Starts from mode and curvature, which private fits must not.
FittedPosterior fit_unprotected(const RecordModel& model, const RecordTable& records,
                                const GaussianPhase& phase, const FitSettings& settings,
                                std::uint64_t seed, const FitSpeed& speed,
                                const FitProgress& progress);

// Fills in what a result shows of the fitted posterior: outputs at its location and at draws from
// it. The draws of a private fit come from fresh secure randomness, others from the seed.
void add_draws(FitResult& result, const RecordModel& model, std::int64_t draws,
               std::optional<std::uint64_t> seed);

}  // namespace dpvi
