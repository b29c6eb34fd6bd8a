#pragma once

#include <span>
#include <vector>

#include <dpvi/ledger/ledger_terms.hpp>
#include <dpvi/privacy/event.hpp>

namespace dpvi {

// What a run uses up, in the currency of a filter: mu^2 for full participation, else the Rényi
// divergence at each order of the ledger. Amounts of several runs add up.
using FilterAmount = std::vector<double>;

// Decides whether another run fits into a budget, if each run may be chosen after seeing the
// results of all runs before it.
//
// Guarantee: runs that a filter admits are together differentially private with its budget, however
// they were chosen.
//
// Full participation. Let E be epsilon, and let B(l, v) be the mean of max(0, 1 - e^(E - l - X))
// for X ~ N(v/2, v): the part of delta that is at stake when the privacy loss so far is l and
// releases of variance v = mu^2 remain. A Gaussian release of variance w adds a loss that is N(w/2,
// w) under the first of two neighbouring tables, so the mean of B(l + X, v - w) is B(l, v), as
// normal variables add up. A release that is only dominated by the Gaussian one gives at most that,
// since the integrand is a convex function of the likelihood ratio. B grows with v, so stopping
// early costs nothing. Hence B(loss so far, budget - amount so far) is a supermartingale for any
// choice of releases that depends on the past, as long as the amounts never exceed the budget. It
// starts at delta(E) of one Gaussian release with the budget's mu, and ends at or above the
// quantity whose mean is the total delta (Smith & Thakurta 2022; Koskela, Tobaben & Honkela 2023).
//
// Mixed. At one order a, e^((a-1) (loss so far - amount so far)) has a conditional mean of at most
// its present value under the first table, for any choice of the next run that depends on the past.
// A total of at most r is therefore Rényi private with r at order a (Feldman & Zrnic 2021; Lecuyer
// 2021), and converts to (E, D) if
// r + log1p(-1/a) - (ln D + ln a)/(a-1) <= E. With m orders, each gets D = delta / m, and a run is
// admitted if one order still has room. On the event that order a has room at the end, the run is
// the same as under a filter of that order alone, which is (E, delta/m)-private; the m events cover
// everything, and their deltas add up to delta. Giving each order the whole delta would let results
// choose the order.
//
// The kind is fixed before the first run for the same reason: a filter that used either account,
// each at full delta, would let results choose.
class PrivacyFilter {
 public:
  // The terms must be valid.
  explicit PrivacyFilter(LedgerTerms terms);

  const LedgerTerms& terms() const { return terms_; }

  // The amount that a run uses up, rounded up. A run with sampling must not be given to a filter of
  // full participation; it uses up an infinite amount.
  FilterAmount amount_of(std::span<const GaussianPhase> run) const;
  FilterAmount nothing() const;

  // True if a total of this amount stays within the budget.
  bool admits(const FilterAmount& total) const;

  // The smallest epsilon of a budget that would admit this total, at the same delta and orders.
  double epsilon_of(const FilterAmount& total) const;

  // The epsilon of these runs together, at the ledger's delta, if none of them depended on a result
  // of another: at most epsilon_of(), because any Rényi order may then be used.
  double spent_epsilon(std::span<const GaussianPhase> runs) const;

 private:
  double epsilon_at(const FilterAmount& total, std::size_t order) const;

  LedgerTerms terms_;
};

FilterAmount sum_of(FilterAmount a, const FilterAmount& b);

}  // namespace dpvi
