#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/api/bound_model.hpp>
#include <dpvi/api/fit_request.hpp>
#include <dpvi/api/posterior_choice.hpp>
#include <dpvi/fit/mock/mock_study.hpp>
#include <dpvi/fit/plan/hierarchy_forecast.hpp>
#include <dpvi/fit/plan/private_fit_plan.hpp>

namespace dpvi {

// A private fit with everything fixed but the records: its privacy cost, its settings and what mock
// records say about its accuracy. It holds public values only and never changes; copies share it.
class PlannedFit {
 public:
  // `study` must be of the same model and binding, and `privacy` of the same kind of posterior.
  PlannedFit(std::shared_ptr<const BoundModel> bound, const PrivacyPlan& privacy,
             const FitRequest& request, MockStudy study, PosteriorChoice posterior = {});

  const PrivacyPlan& privacy() const { return plan().privacy(); }
  const PrivateFitPlan& plan() const { return parts_->plan; }
  const BoundModel& bound() const { return *parts_->bound; }
  const RecordModel& model() const { return bound().model; }
  const Binding& binding() const { return bound().binding; }
  const FitSettings& settings() const { return parts_->settings; }
  const MockStudy& study() const { return parts_->study; }
  InspectFirst inspect_first() const { return parts_->inspect_first; }
  // How the posterior follows from the releases (trace or variational), and why.
  PosteriorKind posterior() const;
  const std::string& posterior_reason() const { return parts_->posterior_reason; }
  // UTC, before data was opened.
  const std::string& planned_at() const { return parts_->planned_at; }
  // Facts that the start of the fit adds to the privacy statement.
  const std::vector<std::string>& start_facts() const { return parts_->start_facts; }

  // Returns nullopt unless the number of rows is declared.
  std::optional<NoiseForecast> forecast() const;
  // The forecast for a table of that many rows.
  NoiseForecast forecast_for(double rows) const;

 private:
  struct Parts {
    std::shared_ptr<const BoundModel> bound;
    FitSettings settings;
    MockStudy study;
    PrivateFitPlan plan;
    std::vector<std::string> start_facts;
    InspectFirst inspect_first;
    std::string posterior_reason;
    std::string planned_at;
    PriorFacts prior;
  };

  std::shared_ptr<const Parts> parts_;
};

// Returns the settings with the number of rows that the schema declares, unless they have one.
FitSettings with_declared_rows(FitSettings settings, const Schema& schema);

// Studies mock records of a bound program, for a table of the declared size.
MockStudy study_for(const BoundModel& bound, const FitSettings& settings);

}  // namespace dpvi
