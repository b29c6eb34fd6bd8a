#include <dpvi/ledger/ledger_terms.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

[[noreturn]] void refuse_term(const char* field, double value, const char* rule) {
  throw UsageError(kValueOutsideRule, fmt::format("{} is {}; it must be {}.", field, value, rule),
                   "Give the whole budget of the data set.");
}

// The mu^2 that order `order` admits, if all of the budget is spent by Gaussian releases.
double admitted_mu_squared(const LedgerTerms& terms, double order) {
  const double conversion =
      std::log1p(-1 / order) - (std::log(terms.delta) + std::log(order)) / (order - 1);
  return 2 * (terms.epsilon - conversion) / order;
}

}  // namespace

void validate(const LedgerTerms& terms) {
  if (!(terms.epsilon > 0 && std::isfinite(terms.epsilon))) {
    refuse_term("epsilon", terms.epsilon, "positive and finite");
  }
  if (!(terms.delta > 0 && terms.delta < 1)) {
    refuse_term("delta", terms.delta, "above 0 and below 1");
  }
  for (const double order : terms.orders) {
    if (!(order > 1 && std::isfinite(order))) refuse_term("order", order, "above 1 and finite");
  }
  if ((terms.filter == FilterKind::mixed) == terms.orders.empty()) {
    throw UsageError(kContradiction, "a mixed ledger, and no other, has Rényi orders.",
                     "Make the ledger with 'dpvi budget LEDGER init'.");
  }
  if (terms.unit.empty()) {
    throw UsageError(kContradiction, "unit is empty.", "Name the column of the ids, or 'row'.");
  }
}

LedgerTerms with_orders(LedgerTerms terms) {
  terms.orders.clear();
  if (terms.filter != FilterKind::mixed) return terms;
  constexpr int kFirst = -600, kLast = 1200;  // of 100 ln(order - 1)
  double best = 2.0;
  for (int i = kFirst; i <= kLast; ++i) {
    const double order = 1 + std::exp(0.01 * i);
    if (admitted_mu_squared(terms, order) > admitted_mu_squared(terms, best)) best = order;
  }
  terms.orders = {best};
  return terms;
}

}  // namespace dpvi
