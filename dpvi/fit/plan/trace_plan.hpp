#pragma once

#include <memory>
#include <optional>
#include <string>

#include <dpvi/data/binding.hpp>
#include <dpvi/fit/mock/mock_study.hpp>
#include <dpvi/fit/mock/outcome_law.hpp>
#include <dpvi/fit/mock/outcome_simulator.hpp>
#include <dpvi/fit/plan/count_plan.hpp>
#include <dpvi/fit/plan/fit_settings.hpp>
#include <dpvi/fit/prepare/record_model.hpp>
#include <dpvi/fit/prepare/release_model.hpp>

namespace dpvi {

// How a fit by measurements is carried out. `model` must outlive the plan.
struct TracePlan {
  const RecordModel* model = nullptr;  // in theta, for its prior
  std::shared_ptr<const ReleaseModel> release = nullptr;
  OutcomeLaw law = {};  // in release coordinates, as is the simulator
  // nullptr if the program gives outcomes no law.
  std::shared_ptr<const OutcomeSimulator> simulator = nullptr;
  // Of exchangeable components: the counts that come first.
  std::optional<CountPlan> counts = std::nullopt;
  double records = 1.0;         // in the table: declared or guessed
  double records_spread = 0.7;  // sd of the logarithm of that number
};

// Why a posterior from measurements is not the default although it is possible; empty if it is.
// Facts about covariates must be declared, because mock records must resemble real ones.
std::string reason_against_default(const TracePlan& plan, const Binding& binding);

// Whether the posterior of a program can be inferred from measurements.
struct TraceChoice {
  std::optional<TracePlan> plan = std::nullopt;
  std::string reason;  // for or against it, in words
};

// Decides from the program, declared facts and settings alone. `study` must be of the same model
// and binding. `release` is the program in release coordinates.
TraceChoice choose_trace(const RecordModel& model, const Binding& binding,
                         const FitSettings& settings, const MockStudy& study,
                         const std::shared_ptr<const ReleaseModel>& release);

}  // namespace dpvi
