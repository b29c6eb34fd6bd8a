#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/privacy/accountant.hpp>
#include <dpvi/privacy/adjacency.hpp>
#include <dpvi/privacy/bracket.hpp>
#include <dpvi/privacy/event.hpp>

namespace dpvi {

// Large batches: a record gradient costs nanoseconds, and at a fixed epsilon the noise matters less
// with a larger sampling rate.
inline constexpr double kDefaultSamplingRate = 0.1;
// Defaults of a fit. `plan_privacy()` itself has none for these two: it may solve for either.
inline constexpr double kDefaultDelta = 1e-6;
inline constexpr std::int64_t kDefaultSteps = 1000;

// A request for a privacy plan. Three of epsilon, delta, noise_multiplier and steps are given; the
// fourth is solved for. Phases replace sampling_rate, noise_multiplier and steps. With phases,
// delta alone solves for epsilon. Delta with epsilon makes the phases' noise multipliers relative:
// all are scaled by one factor.
struct PrivacyRequest {
  std::optional<double> epsilon = std::nullopt;
  std::optional<double> delta = std::nullopt;
  std::optional<double> noise_multiplier = std::nullopt;
  std::optional<std::int64_t> steps = std::nullopt;
  std::optional<double> sampling_rate = std::nullopt;  // default kDefaultSamplingRate
  std::vector<GaussianPhase> phases = {};
  Adjacency adjacency = Adjacency::substitute;
  // The first one solves; all are reported.
  std::vector<Accountant> accountants = {Accountant::pld};
};

enum class SolvedFor { epsilon, delta, noise_multiplier, steps };

struct AccountantReport {
  double epsilon = 0.0;
  std::optional<double> order;          // Rényi order, or lambda of the moments accountant
  bool order_at_edge = false;           // the best order is the first or last allowed
  std::optional<Bracket> epsilon_ends;  // certified ends, if the accountant provides them
  std::optional<Bracket> delta_ends;
};

// The privacy cost of a run, fixed before any data is opened.
//
// Guarantee: the run is (epsilon, delta)-differentially private under the plan's adjacency, for
// exactly the stated noise multipliers and sampling rates. Every noise multiplier is 2^24/D and
// every sampling rate is Q/2^64 with integers D and Q, as used by the mechanism and the sampler.
struct PrivacyPlan {
  SolvedFor solved_for = SolvedFor::epsilon;
  Accountant solver = Accountant::pld;
  Adjacency adjacency = Adjacency::substitute;
  GaussianRun run;
  double epsilon = 0.0;
  double delta = 0.0;
  double epsilon_add_remove = 0.0;
  double epsilon_substitute = 0.0;
  // In the requested order. `reasons` lists accountants without a claim instead.
  std::vector<std::pair<Accountant, AccountantReport>> accountants;
  std::map<Accountant, std::string> reasons;
};

// Throws UsageError with field, value and rule for a request that cannot be planned.
PrivacyPlan plan_privacy(const PrivacyRequest& request);

// The plan of a fit: epsilon, a noise multiplier or phases must be given, and delta and steps have
// defaults.
PrivacyPlan plan_privacy_of_fit(PrivacyRequest request);

// Of a fit by measurements: the number of gradient releases, and the share of the budget that goes
// to the release of information before them.
inline constexpr std::int64_t kGradientReleases = 40;
inline constexpr double kInformationShare = 0.2;

// What a fit by measurements releases first. Counts take their share of the budget before the rest
// is divided as without them.
enum class FirstRelease { information, counts };
inline constexpr double kCountsShare = 0.1;

// The plan of a fit by measurements: every record takes part in every release, and later gradient
// releases, at better points, have less noise. `steps` is the number of gradient releases.
PrivacyPlan plan_privacy_of_trace(PrivacyRequest request,
                                  FirstRelease first = FirstRelease::information);

}  // namespace dpvi
