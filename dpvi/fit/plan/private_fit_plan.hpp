#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/base/precision.hpp>
#include <dpvi/data/binding.hpp>
#include <dpvi/family/family.hpp>
#include <dpvi/fit/mock/keyed_outcomes.hpp>
#include <dpvi/fit/plan/fit_settings.hpp>
#include <dpvi/fit/plan/loop_plan.hpp>
#include <dpvi/fit/plan/loop_start.hpp>
#include <dpvi/fit/plan/noise_forecast.hpp>
#include <dpvi/fit/plan/privacy_plan.hpp>
#include <dpvi/fit/plan/trace_plan.hpp>
#include <dpvi/fit/prepare/record_model.hpp>
#include <dpvi/gradient/outcome_bins.hpp>
#include <dpvi/tape/lanes/outcome_columns.hpp>
#include <dpvi/tape/lanes/record_tape.hpp>
#include <dpvi/tape/lanes/uniform_function.hpp>

namespace dpvi {

// The parts of a model that a fit needs. The tape and the prior must outlive every plan for the
// model and all records opened with such a plan.
struct ModelToFit {
  const RecordTape* tape = nullptr;
  const UniformFunction* prior = nullptr;
  // For each entry of theta: true if a record's contribution depends on it.
  std::vector<bool> used_by_records = {};
  // Precision in which records are stored and evaluated.
  Precision precision = Precision::double_precision;
  // For conditionally unbiased clipping; nullopt: gradients are clipped around zero.
  std::optional<OutcomeColumns> outcome = std::nullopt;
  std::optional<OutcomeSimulation> simulation = std::nullopt;  // instead of `outcome`
  // Of a release of counts; there is no outcome, simulation or unit then.
  std::shared_ptr<const OutcomeBins> bins = nullptr;
  // For programs that use the rows of a unit together; there is no outcome or simulation then.
  std::optional<UnitWidth> unit = std::nullopt;
};

// All decisions about a private fit that are made before a record is read: its privacy cost, its
// clipping, its start and the meaning of the table's columns. It is made from the program, the
// schema, public facts and the column names of the table. A finished plan never changes; copies
// share it.
//
// Opening private records requires a plan (private_records.hpp), and a fit accepts only such
// records. A budget ledger can therefore reserve the cost of the plan before a row is read.
class PrivateFitPlan {
 public:
  const PrivacyPlan& privacy() const { return parts_->privacy; }
  const LoopPlan& loop() const { return parts_->loop; }
  const Family& family() const { return *parts_->family; }
  const LoopStart& start() const { return parts_->start; }
  // nullopt for a variational fit.
  const std::optional<TracePlan>& trace() const { return parts_->trace; }
  // Describes the start of the fit, for reports.
  const std::string& initial_name() const { return parts_->initial_name; }
  const ModelToFit& model() const { return parts_->model; }
  // Has no columns if the model is not a Stan program.
  const Binding& binding() const { return parts_->binding; }

 private:
  struct Parts {
    ModelToFit model;
    Binding binding;
    PrivacyPlan privacy;
    LoopPlan loop;
    SharedFamily family;
    LoopStart start;
    std::string initial_name;
    std::optional<TracePlan> trace = std::nullopt;
  };

  friend PrivateFitPlan plan_private_fit(const RecordModel& model, const Binding& binding,
                                         const PrivacyPlan& privacy, const FitSettings& settings,
                                         const MockStudy& study, std::optional<TracePlan> trace);
  friend PrivateFitPlan plan_private_fit(const ModelToFit& model, const PrivacyPlan& privacy,
                                         const FitSettings& settings);

  explicit PrivateFitPlan(Parts parts) : parts_(std::make_shared<const Parts>(std::move(parts))) {}

  std::shared_ptr<const Parts> parts_;
};

// `study` must be of the same model and binding. The model must outlive the plan and all records
// opened with it. Records are stored in the precision chosen with mock records
// (lane_precision.hpp). With `trace` the posterior is inferred from measurements.
PrivateFitPlan plan_private_fit(const RecordModel& model, const Binding& binding,
                                const PrivacyPlan& privacy, const FitSettings& settings,
                                const MockStudy& study,
                                std::optional<TracePlan> trace = std::nullopt);

// Plans a fit of a model without mock records, such as one written in C++. The fit works in theta
// itself and starts at zero unless `settings` has initial values. The default clip bound is 1.
PrivateFitPlan plan_private_fit(const ModelToFit& model, const PrivacyPlan& privacy,
                                const FitSettings& settings);

// Returns nullopt unless the number of rows is declared.
std::optional<NoiseForecast> forecast(const PrivateFitPlan& plan, const FitSettings& settings,
                                      const MockStudy& study);

}  // namespace dpvi
