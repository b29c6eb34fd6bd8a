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

// How a fit is to be done. Every default is a number fixed in advance or made of public facts.
struct FitSettings {
  FamilyKind family = FamilyKind::mean_field;
  std::size_t rank = kDefaultRank;  // of a low-rank family; at most the number of parameters
  GradientMode gradient = GradientMode::aligned;
  ClipMode clip = ClipMode::adaptive;
  // The first, of an adaptive one; several: one for each phase; none: plan_clipping() finds one.
  std::vector<double> clip_bounds;
  std::optional<double> rows;  // declared size of the table
  OptimizerKind optimizer = OptimizerKind::adam;
  std::optional<ScheduleKind> schedule;  // default: travelled for Adam, else constant
  std::optional<double> learning_rate;   // default: by optimizer, see fit.cpp
  double averaged_share = 0.65;          // of the iterates, counted from the end
  double initial_scale = 0.02;           // standard deviations at the start, by the coordinates
  std::optional<InitialValues> initial;
  // Without protection and without initial values: where climbs to the mode start, zero if empty.
  // The highest mode is taken.
  std::vector<std::vector<double>> climbs;
  std::int64_t draws = 1000;  // from the fitted posterior
  // A chain of samples instead of a variational fit; its first size of step is `learning_rate`.
  std::optional<LangevinSettings> langevin;

  GaussianFamily family_of(std::size_t dimension) const;
};

// Stands for a table size that nobody declared. If it is wrong, an adaptive clip bound moves slower
// or faster than it should.
inline constexpr double kUndeclaredRows = 10000.0;

// How fast, never how private.
struct FitSpeed {
  int threads = 1;
  bool profile = false;  // tell clipping apart from gradients, which costs a little
};

struct FittedPosterior {
  // The plan as it ran; absent without protection, and if the run was stopped.
  std::optional<ExecutedPlan> privacy;
  std::vector<double> family_parameters;
  std::vector<std::vector<double>> samples;  // of a chain, by theta
  LoopSettings loop;
  FitTrace trace;
  LoopTimes times;
  bool completed = false;
};

// `study` is of the same model and binding. The model must outlive the plan and all records opened
// with it. Records are kept in the precision that mock records allow (lane_precision.hpp).
PrivateFitPlan plan_private_fit(const RecordModel& model, const Binding& binding,
                                const PrivacyPlan& privacy, const FitSettings& settings,
                                const MockStudy& study);

// The same for a model of which no mock records can be made, written in C++ say: the fit works on
// theta itself and starts at zero, unless `settings` has initial values, and a clip bound that is
// not given is 1.
PrivateFitPlan plan_private_fit(const ModelToFit& model, const PrivacyPlan& privacy,
                                const FitSettings& settings);

// Absent unless the number of rows is declared.
std::optional<NoiseForecast> forecast(const PrivateFitPlan& plan, const FitSettings& settings,
                                      const MockStudy& study);

// Fits the records by the plan that they were opened with, and gives their memory back.
FittedPosterior fit_privately(PrivateRecords records, const FitSpeed& speed,
                              const FitProgress& progress);

// The same loop without protection. Starts from mode and curvature, which private fits must not.
FittedPosterior fit_unprotected(const RecordModel& model, const UnprotectedRecords& records,
                                const GaussianPhase& phase, const FitSettings& settings,
                                std::uint64_t seed, const FitSpeed& speed,
                                const FitProgress& progress);

}  // namespace dpvi
