#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/data/binding.hpp>
#include <dpvi/fit/mock/component_labels.hpp>
#include <dpvi/fit/mock/mock_study.hpp>
#include <dpvi/fit/mock/outcome_simulator.hpp>
#include <dpvi/fit/prepare/record_model.hpp>
#include <dpvi/gradient/outcome_bins.hpp>

namespace dpvi {

// A release of counts before all others, from which a fit of exchangeable components starts.
struct CountPlan {
  std::shared_ptr<const OutcomeBins> bins = nullptr;
  std::shared_ptr<const OutcomeSimulator> simulator = nullptr;  // in theta
  std::vector<ComponentEntries> components = {};
  std::vector<double> separated = {};  // a start with the components apart, in theta
};

struct CountChoice {
  std::optional<CountPlan> plan = std::nullopt;
  std::string reason;  // why there is none
};

// Decides from the program, declared facts and fixed seeds alone. Bins cover the declared range of
// a column, four standard deviations around its declared mean, or what draws from the prior give.
// Records must consist of outcomes: of other columns, too little is known to predict counts.
CountChoice choose_counts(const RecordModel& model, const Binding& binding, const MockStudy& study,
                          const std::shared_ptr<const OutcomeSimulator>& simulator);

}  // namespace dpvi
