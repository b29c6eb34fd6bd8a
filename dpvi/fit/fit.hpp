#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/family/gaussian_family.hpp>
#include <dpvi/fit/clip_plan.hpp>
#include <dpvi/fit/executed_plan.hpp>
#include <dpvi/fit/fit_result.hpp>
#include <dpvi/fit/initial_values.hpp>
#include <dpvi/fit/mock_study.hpp>
#include <dpvi/fit/noise_forecast.hpp>
#include <dpvi/fit/privacy_plan.hpp>
#include <dpvi/fit/private_fit_plan.hpp>
#include <dpvi/fit/private_records.hpp>
#include <dpvi/fit/record_model.hpp>
#include <dpvi/fit/training_loop.hpp>

namespace dpvi {

inline constexpr std::size_t kDefaultRank = 5;

// Settings of a fit. Every default is a fixed number or derived from public facts.
struct FitSettings {
  FamilyKind family = FamilyKind::mean_field;
  std::size_t rank = kDefaultRank;  // of a low-rank family; at most the parameter count
  GradientMode gradient = GradientMode::aligned;
  ClipMode clip = ClipMode::adaptive;
  // One bound (the first one if adaptive), or one for each phase. If empty, plan_clipping() chooses
  // one.
  std::vector<double> clip_bounds;
  std::optional<double> rows;  // declared size of the table
  OptimizerKind optimizer = OptimizerKind::adam;
  std::optional<ScheduleKind> schedule;  // default: distance-scaled for Adam, else constant
  std::optional<double> learning_rate;   // default: depends on the optimizer, see fit.cpp
  double averaged_share = 0.65;          // share of the iterates, counted from the end
  double initial_scale = 0.02;           // initial standard deviation in working coordinates
  std::optional<InitialValues> initial;
  // Starting points of the mode search in an unprotected fit without initial values; empty means
  // zero. The highest mode found is used.
  std::vector<std::vector<double>> climbs;
  std::int64_t draws = 1000;  // from the fitted posterior
  // Runs a chain of samples instead of a variational fit. Its first step size is `learning_rate`.
  std::optional<LangevinSettings> langevin;

  GaussianFamily family_of(std::size_t dimension) const;
};

// Assumed table size if none is declared. If it is wrong, an adaptive clip bound moves too slowly
// or too fast.
inline constexpr double kUndeclaredRows = 10000.0;

// Settings that affect speed and never privacy.
struct FitSpeed {
  int threads = 1;
  bool profile = false;  // time clipping and gradients separately, at a small cost
};

struct FittedPosterior {
  // The plan as executed; nullopt for an unprotected or interrupted run.
  std::optional<ExecutedPlan> privacy;
  std::vector<double> family_parameters;
  std::vector<std::vector<double>> samples;  // of a chain, in theta
  LoopSettings loop;
  FitTrace trace;
  LoopTimes times;
  bool completed = false;
};

// `study` must be of the same model and binding. The model must outlive the plan and all records
// opened with it. Records are stored in the precision chosen with mock records
// (lane_precision.hpp).
PrivateFitPlan plan_private_fit(const RecordModel& model, const Binding& binding,
                                const PrivacyPlan& privacy, const FitSettings& settings,
                                const MockStudy& study);

// Plans a fit of a model without mock records, such as one written in C++. The fit works in theta
// itself and starts at zero unless `settings` has initial values. The default clip bound is 1.
PrivateFitPlan plan_private_fit(const ModelToFit& model, const PrivacyPlan& privacy,
                                const FitSettings& settings);

// Returns nullopt unless the number of rows is declared.
std::optional<NoiseForecast> forecast(const PrivateFitPlan& plan, const FitSettings& settings,
                                      const MockStudy& study);

// Fits the records under the plan that they were opened with, and frees their memory.
FittedPosterior fit_privately(PrivateRecords records, const FitSpeed& speed,
                              const FitProgress& progress);

// The same loop without privacy protection. It starts from the mode and curvature of the records,
// which a private fit must not use.
FittedPosterior fit_unprotected(const RecordModel& model, const UnprotectedRecords& records,
                                const GaussianPhase& phase, const FitSettings& settings,
                                std::uint64_t seed, const FitSpeed& speed,
                                const FitProgress& progress);

}  // namespace dpvi
