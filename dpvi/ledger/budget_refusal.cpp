#include <dpvi/ledger/budget_refusal.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <dpvi/privacy/bound_search.hpp>
#include <dpvi/privacy/calibration.hpp>
#include <dpvi/privacy/pld.hpp>

namespace dpvi {
namespace {

// One in the last of the four significant digits that messages show.
double last_digit(double value) { return std::pow(10.0, std::floor(std::log10(value)) - 3); }

std::vector<Mechanism> with_more_noise(std::vector<Mechanism> mechanisms, double factor) {
  for (Mechanism& mechanism : mechanisms) {
    if (auto* phase = std::get_if<GaussianPhase>(&mechanism)) {
      phase->noise_multiplier *= factor;
    } else {
      auto& total = std::get<GaussianTotal>(mechanism);
      total.mu_substitute /= factor;
      total.mu_add_remove /= factor;
    }
  }
  return mechanisms;
}

// Searches the least noise that fits, for runs that keep their sampling rates and steps.
class LargestEpsilon {
 public:
  LargestEpsilon(const PrivacyFilter& filter, const FilterAmount& spent, const LedgerRun& run,
                 const ClaimRule& rule)
      : filter_(filter), spent_(spent), run_(run), rule_(rule) {}

  double find() const {
    constexpr double kMostNoise = 40;  // of log2 of the factor
    constexpr int kHalvings = 40;
    double low = 0, high = kMostNoise;
    if (!fits(std::exp2(high))) return 0;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = (low + high) / 2;
      (fits(std::exp2(middle)) ? high : low) = middle;
    }
    return confirmed(epsilon_with(std::exp2(high)));
  }

 private:
  bool admits(std::span<const Mechanism> mechanisms) const {
    const GaussianRun run = equivalent_run(mechanisms, filter_.terms().adjacency);
    return filter_.admits(sum_of(filter_.amount_of(run), spent_));
  }

  bool fits(double factor) const { return admits(with_more_noise(run_.mechanisms, factor)); }

  double epsilon_with(double factor) const {
    const auto mechanisms = with_more_noise(run_.mechanisms, factor);
    return epsilon_bound(rule_.accountant, equivalent_run(mechanisms, rule_.adjacency),
                         rule_.adjacency, rule_.delta);
  }

  // The run of a fit that asks for this epsilon. Its noise is rounded to a grid.
  GaussianRun calibrated(double epsilon) const {
    const GaussianRun relative = equivalent_run(run_.mechanisms, rule_.adjacency);
    const PrivacyTarget target{rule_.adjacency, epsilon, rule_.delta};
    if (rule_.accountant == Accountant::pld) return calibrate_noise_on_grid(relative, target).run;
    return least_noise_on_grid(relative, meets_target(target, rule_.accountant));
  }

  // The largest number of four digits, at about `epsilon`, that a fit can ask for.
  double confirmed(double epsilon) const {
    constexpr int kAttempts = 8;
    if (!(epsilon > 0)) return 0;
    const double digit = last_digit(epsilon);
    const double first = std::floor(epsilon / digit) + 1;
    for (int i = 0; i < kAttempts && first - i > 0; ++i) {
      const double asked = std::stod(fmt::format("{:.4g}", (first - i) * digit));
      if (admits(mechanisms_of(calibrated(asked)))) return asked;
    }
    return 0;
  }

  const PrivacyFilter& filter_;
  const FilterAmount& spent_;
  const LedgerRun& run_;
  const ClaimRule& rule_;
};

std::string refusal_text(const LedgerTerms& terms, const BudgetNumbers& numbers) {
  return fmt::format(
      "the run asks for epsilon {:.4g}; {:.4g} of {:.4g} are spent and {:.4g} are left (delta "
      "{:g}, "
      "{} ledger).",
      numbers.asked, numbers.spent, terms.epsilon, numbers.left, terms.delta,
      name_of(terms.filter));
}

std::string refusal_hint(const BudgetNumbers& numbers) {
  if (numbers.largest_epsilon <= 0) return "No run fits any more; nothing was spent.";
  return fmt::format("The largest epsilon that fits is {:.4g}; nothing was spent.",
                     numbers.largest_epsilon);
}

}  // namespace

BudgetRefusal::BudgetRefusal(const LedgerTerms& terms, const BudgetNumbers& numbers)
    : BudgetError(kOverBudget, refusal_text(terms, numbers), refusal_hint(numbers)),
      numbers_(numbers) {}

std::optional<BudgetNumbers> why_refused(const PrivacyFilter& filter, const GaussianRun& charged,
                                         const LedgerRun& run, const ClaimRule& rule) {
  const LedgerTerms& terms = filter.terms();
  const GaussianRun asked = equivalent_run(run.mechanisms, terms.adjacency);
  const FilterAmount spent = filter.amount_of(charged);
  if (filter.admits(sum_of(filter.amount_of(asked), spent))) return std::nullopt;
  BudgetNumbers numbers;
  numbers.asked = pld_epsilon(asked, terms.adjacency, terms.delta).upper;
  numbers.spent = filter.spent_epsilon(charged);
  numbers.left = std::max(0.0, terms.epsilon - numbers.spent);
  numbers.largest_epsilon = LargestEpsilon(filter, spent, run, rule).find();
  return numbers;
}

}  // namespace dpvi
