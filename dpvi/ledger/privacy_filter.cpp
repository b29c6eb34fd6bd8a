#include <dpvi/ledger/privacy_filter.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <dpvi/privacy/analytic_gaussian.hpp>
#include <dpvi/privacy/rdp.hpp>

namespace dpvi {
namespace {

constexpr double kUp = 1 + 1e-13;  // covers the rounding of a sum of many terms

double mu_squared(std::span<const GaussianPhase> run, Adjacency adjacency) {
  const double shift = adjacency == Adjacency::substitute ? 2.0 : 1.0;
  double sum = 0;
  for (const GaussianPhase& phase : run) {
    if (phase.steps == 0) continue;
    if (phase.sampling_rate != 1.0) return std::numeric_limits<double>::infinity();
    const double mu = shift / phase.noise_multiplier;
    sum += static_cast<double>(phase.steps) * mu * mu * kUp;
  }
  return sum;
}

bool is_nothing(const FilterAmount& total) {
  return std::ranges::all_of(total, [](double amount) { return amount == 0; });
}

}  // namespace

PrivacyFilter::PrivacyFilter(LedgerTerms terms) : terms_(std::move(terms)) { validate(terms_); }

FilterAmount PrivacyFilter::amount_of(std::span<const GaussianPhase> run) const {
  validate(run);
  if (terms_.filter == FilterKind::full_participation) return {mu_squared(run, terms_.adjacency)};
  FilterAmount amount;
  for (const double order : terms_.orders) {
    amount.push_back(rdp(run, terms_.adjacency, order) * kUp);
  }
  return amount;
}

FilterAmount PrivacyFilter::nothing() const { return amount_of({}); }

bool PrivacyFilter::admits(const FilterAmount& total) const {
  if (is_nothing(total)) return true;
  if (!std::ranges::all_of(total, [](double amount) { return amount >= 0; })) return false;
  if (terms_.filter == FilterKind::mixed) return epsilon_of(total) <= terms_.epsilon;
  if (!std::isfinite(total[0])) return false;
  const double mu = std::sqrt(total[0] * kUp) * kUp;
  return analytic_gaussian_delta(mu, terms_.epsilon).upper <= terms_.delta;
}

double PrivacyFilter::epsilon_at(const FilterAmount& total, std::size_t order) const {
  const double share = terms_.delta / static_cast<double>(terms_.orders.size());
  return epsilon_from_rdp(total[order], terms_.orders[order], share) * kUp;
}

double PrivacyFilter::epsilon_of(const FilterAmount& total) const {
  if (is_nothing(total)) return 0;
  double epsilon = std::numeric_limits<double>::infinity();
  if (terms_.filter == FilterKind::full_participation) {
    if (!std::isfinite(total[0])) return epsilon;
    return analytic_gaussian_epsilon(std::sqrt(total[0] * kUp) * kUp, terms_.delta).upper;
  }
  for (std::size_t i = 0; i < total.size(); ++i) epsilon = std::min(epsilon, epsilon_at(total, i));
  return epsilon;
}

double PrivacyFilter::spent_epsilon(std::span<const GaussianPhase> runs) const {
  const double filtered = epsilon_of(amount_of(runs));
  if (terms_.filter == FilterKind::full_participation) return filtered;
  return std::min(filtered, rdp_epsilon(runs, terms_.adjacency, terms_.delta).epsilon);
}

FilterAmount sum_of(FilterAmount a, const FilterAmount& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = (a[i] + b[i]) * kUp;
  return a;
}

}  // namespace dpvi
