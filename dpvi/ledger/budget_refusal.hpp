#pragma once

#include <optional>

#include <dpvi/base/error.hpp>
#include <dpvi/ledger/ledger_entry.hpp>
#include <dpvi/ledger/privacy_filter.hpp>
#include <dpvi/privacy/accountant.hpp>
#include <dpvi/privacy/event.hpp>

namespace dpvi {

// How the statement of a run is computed, to say which epsilon would have fitted.
struct ClaimRule {
  Adjacency adjacency = Adjacency::substitute;
  double delta = 0.0;
  Accountant accountant = Accountant::pld;
};

// Numbers of a refusal. Each epsilon but the last is at the ledger's delta and adjacency.
struct BudgetNumbers {
  double asked = 0.0;
  double spent = 0.0;
  double left = 0.0;
  // The largest epsilon of the run's own statement that would fit, with the same sampling rates and
  // steps and more noise. 0 if none would.
  double largest_epsilon = 0.0;
};

// A run that does not fit into the budget of a ledger (exit code 77).
class BudgetRefusal : public BudgetError {
 public:
  BudgetRefusal(const LedgerTerms& terms, const BudgetNumbers& numbers);

  const BudgetNumbers& numbers() const { return numbers_; }

 private:
  BudgetNumbers numbers_;
};

// Returns nullopt if the run fits on top of the charged runs.
std::optional<BudgetNumbers> why_refused(const PrivacyFilter& filter, const GaussianRun& charged,
                                         const LedgerRun& run, const ClaimRule& rule);

}  // namespace dpvi
