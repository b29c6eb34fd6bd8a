#include <dpvi/privacy/accountant.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include <dpvi/base/error.hpp>
#include <dpvi/privacy/analytic_gaussian.hpp>
#include <dpvi/privacy/pld.hpp>
#include <dpvi/privacy/published_accountants.hpp>
#include <dpvi/privacy/rdp.hpp>

namespace dpvi {
namespace {

// Advanced composition starts from the textbook Gaussian mechanism, whose epsilon is not always
// valid (Balle & Wang 2018). This checks it against the exact curve.
bool textbook_gaussian_holds(const GaussianPhase& phase, double delta) {
  const double per_step = (1.0 - kAdvancedCompositionShare) * delta /
                          (static_cast<double>(phase.steps) * phase.sampling_rate);
  if (!(per_step > 0.0 && per_step < 1.0)) return false;
  const double epsilon = std::sqrt(2.0 * std::log(1.25 / per_step)) / phase.noise_multiplier;
  return analytic_gaussian_delta(1.0 / phase.noise_multiplier, epsilon).upper <= per_step;
}

std::optional<std::string> why_no_advanced_claim(std::span<const GaussianPhase> run,
                                                 Adjacency adjacency, double delta) {
  if (adjacency != Adjacency::add_remove) {
    return "the 2017 paper's step from add/remove to substitution is not valid as stated";
  }
  if (run.size() != 1) return "advanced composition is stated for runs of one phase";
  if (run[0].steps > 0 && !textbook_gaussian_holds(run[0], delta)) {
    return "the textbook Gaussian mechanism it starts from does not hold at this noise";
  }
  return std::nullopt;
}

// The smallest delta whose epsilon is at most the target, by bisection on a logarithmic scale.
// Epsilon decreases as delta grows. The result errs upwards.
double invert_epsilon_bound(Accountant accountant, std::span<const GaussianPhase> run,
                            Adjacency adjacency, double epsilon) {
  const auto reached = [&](double log_delta) {
    const double delta = std::exp(log_delta);
    return !why_no_claim(accountant, run, adjacency, delta) &&
           epsilon_bound(accountant, run, adjacency, delta) <= epsilon;
  };
  double low = std::log(1e-300);
  double high = std::log(1.0 - 1e-9);
  if (!reached(high)) return 1.0;
  if (reached(low)) return std::exp(low);
  constexpr int kHalvings = 60;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    (reached(middle) ? high : low) = middle;
  }
  return std::exp(high);
}

}  // namespace

std::string_view name_of(Accountant accountant) {
  switch (accountant) {
    case Accountant::pld:
      return "pld";
    case Accountant::rdp:
      return "rdp";
    case Accountant::moments:
      return "moments";
    case Accountant::advanced:
      return "advanced";
  }
  return "";
}

std::optional<std::string> why_no_claim(Accountant accountant, std::span<const GaussianPhase> run,
                                        Adjacency adjacency, double delta) {
  if (accountant == Accountant::moments && adjacency != Adjacency::add_remove) {
    return "the 2017 paper's moments accountant bounds add/remove only";
  }
  if (accountant == Accountant::advanced) return why_no_advanced_claim(run, adjacency, delta);
  return std::nullopt;
}

double epsilon_bound(Accountant accountant, std::span<const GaussianPhase> run, Adjacency adjacency,
                     double delta) {
  if (const auto reason = why_no_claim(accountant, run, adjacency, delta)) {
    throw UsageError(
        kNotSolvable,
        fmt::format("accountant {} makes no claim here: {}.", name_of(accountant), *reason),
        "Use pld.");
  }
  switch (accountant) {
    case Accountant::pld:
      return pld_epsilon(run, adjacency, delta).upper;
    case Accountant::rdp:
      return rdp_epsilon(run, adjacency, delta).epsilon;
    case Accountant::moments:
      return moments_epsilon(run, delta).epsilon;
    case Accountant::advanced:
      return run[0].steps == 0
                 ? 0.0
                 : advanced_composition_epsilon(run[0], delta, kAdvancedCompositionShare * delta);
  }
  return std::numeric_limits<double>::infinity();
}

double delta_bound(Accountant accountant, std::span<const GaussianPhase> run, Adjacency adjacency,
                   double epsilon) {
  if (accountant == Accountant::pld) return pld_delta(run, adjacency, epsilon).upper;
  if (accountant == Accountant::rdp) return rdp_delta(run, adjacency, epsilon).delta;
  return invert_epsilon_bound(accountant, run, adjacency, epsilon);
}

}  // namespace dpvi
