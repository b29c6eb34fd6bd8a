#include <dpvi/fit/plan/privacy_plan.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <dpvi/base/error.hpp>
#include <dpvi/privacy/bound_search.hpp>
#include <dpvi/privacy/calibration.hpp>
#include <dpvi/privacy/noise_grid.hpp>
#include <dpvi/privacy/pld.hpp>
#include <dpvi/privacy/published_accountants.hpp>
#include <dpvi/privacy/rdp.hpp>
#include <dpvi/random/sampling_rate.hpp>

namespace dpvi {
namespace {

[[noreturn]] void refuse(const std::string& message, const std::string& hint) {
  throw UsageError(kContradiction, message, hint);
}

std::vector<std::string> given_fields(const PrivacyRequest& request) {
  std::vector<std::string> given;
  if (request.epsilon) given.emplace_back("epsilon");
  if (request.delta) given.emplace_back("delta");
  if (request.noise_multiplier) given.emplace_back("noise-multiplier");
  if (request.steps) given.emplace_back("steps");
  return given;
}

SolvedFor solved_for_in_phases(const PrivacyRequest& request) {
  if (request.noise_multiplier || request.steps || request.sampling_rate) {
    refuse("each phase states its own sampling rate, noise multiplier and steps.",
           "Leave out sampling-rate, noise-multiplier and steps, or the phases.");
  }
  if (!request.delta) {
    refuse("phases need delta.",
           "Give delta alone to get epsilon, or delta and epsilon to scale the phases' noise.");
  }
  return request.epsilon ? SolvedFor::noise_multiplier : SolvedFor::epsilon;
}

SolvedFor solved_for(const PrivacyRequest& request) {
  if (!request.phases.empty()) return solved_for_in_phases(request);
  const std::vector<std::string> given = given_fields(request);
  if (given.size() != 3) {
    refuse(fmt::format(
               "three of epsilon, delta, noise-multiplier and steps must be given; {}.",
               given.empty() ? "none is given" : fmt::format("given: {}", fmt::join(given, ", "))),
           "The fourth is computed.");
  }
  if (!request.epsilon) return SolvedFor::epsilon;
  if (!request.delta) return SolvedFor::delta;
  return request.noise_multiplier ? SolvedFor::steps : SolvedFor::noise_multiplier;
}

void check_target(const PrivacyRequest& request) {
  const auto outside = [](const char* field, double value, const char* rule) {
    throw UsageError(kValueOutsideRule, fmt::format("{} is {}; it must be {}.", field, value, rule),
                     "");
  };
  if (request.epsilon && !(*request.epsilon > 0.0 && std::isfinite(*request.epsilon))) {
    outside("epsilon", *request.epsilon, "positive and finite");
  }
  if (request.delta && !(*request.delta > 0.0 && *request.delta < 1.0)) {
    outside("delta", *request.delta, "above 0 and below 1");
  }
  if (request.accountants.empty()) refuse("no accountant is named.", "Name at least pld.");
}

// Returns the rate that the sampler uses exactly.
double sampler_rate(double asked) { return SamplingRate::from_double(asked).value(); }

// Returns the exact multiplier of the mechanism for a solved one that is 2^24/D up to rounding.
double on_grid(double solved) {
  const double bound = std::round(static_cast<double>(NoiseGrid::kNoiseStd) / solved);
  return NoiseGrid::with_integer_bound(static_cast<std::int64_t>(bound)).noise_multiplier();
}

// Returns the requested phases. Noise multipliers are on the mechanism's grid, unless they are to
// be solved for; those are relative and still lack their factor.
GaussianRun requested_run(const PrivacyRequest& request, SolvedFor solve) {
  GaussianRun run = request.phases;
  if (run.empty()) {
    run.push_back({request.sampling_rate.value_or(kDefaultSamplingRate),
                   request.noise_multiplier.value_or(1.0), request.steps.value_or(0)});
  }
  validate(run);
  for (GaussianPhase& phase : run) {
    phase.sampling_rate = sampler_rate(phase.sampling_rate);
    if (solve != SolvedFor::noise_multiplier) {
      phase.noise_multiplier = NoiseGrid(phase.noise_multiplier).noise_multiplier();
    }
  }
  return run;
}

// A run that meets the target, with its certified epsilon if pld is the solver.
struct SolvedRun {
  GaussianRun run;
  std::optional<Bracket> pld_epsilon;
};

SolvedRun solve_noise(const GaussianRun& relative, const PrivacyTarget& target, Accountant solver) {
  if (solver != Accountant::pld) {
    return {least_noise_on_grid(relative, meets_target(target, solver)), {}};
  }
  CalibratedRun found = calibrate_noise_on_grid(relative, target);
  return {std::move(found.run), found.epsilon};
}

SolvedRun solve_steps(const GaussianPhase& phase, const PrivacyTarget& target, Accountant solver) {
  if (solver != Accountant::pld) return {most_steps(phase, meets_target(target, solver)), {}};
  CalibratedRun found = calibrate_steps(phase, target);
  return {std::move(found.run), found.epsilon};
}

void solve_delta(PrivacyPlan& plan, double epsilon) {
  plan.delta = delta_bound(plan.solver, plan.run, plan.adjacency, epsilon);
  plan.epsilon = epsilon;
  if (plan.delta >= 1.0) {
    throw UsageError(
        kNotSolvable,
        fmt::format("no delta below 1 can be certified at epsilon {} for this run.", epsilon),
        "Use more noise, fewer steps or a larger epsilon.");
  }
}

AccountantReport pld_report(const PrivacyPlan& plan, const std::optional<Bracket>& known) {
  AccountantReport report;
  report.epsilon_ends = known ? *known : pld_epsilon(plan.run, plan.adjacency, plan.delta);
  report.delta_ends = pld_delta(plan.run, plan.adjacency, plan.epsilon);
  report.epsilon = report.epsilon_ends->upper;
  return report;
}

AccountantReport report_of(Accountant accountant, const PrivacyPlan& plan) {
  AccountantReport report;
  if (accountant == Accountant::rdp) {
    const RdpEpsilon found = rdp_epsilon(plan.run, plan.adjacency, plan.delta);
    report.epsilon = found.epsilon;
    report.order = found.order;
    report.order_at_edge = found.order_at_edge;
  } else if (accountant == Accountant::moments) {
    const MomentsEpsilon found = moments_epsilon(plan.run, plan.delta);
    report.epsilon = found.epsilon;
    report.order = found.order;
  } else {
    report.epsilon = epsilon_bound(accountant, plan.run, plan.adjacency, plan.delta);
  }
  return report;
}

void add_reports(PrivacyPlan& plan, const std::vector<Accountant>& accountants,
                 const std::optional<Bracket>& known) {
  for (const Accountant accountant : accountants) {
    if (auto reason = why_no_claim(accountant, plan.run, plan.adjacency, plan.delta)) {
      plan.reasons[accountant] = *std::move(reason);
    } else {
      plan.accountants.emplace_back(accountant, accountant == Accountant::pld
                                                    ? pld_report(plan, known)
                                                    : report_of(accountant, plan));
    }
  }
}

// Uses the solver if it has a claim under that adjacency, else pld.
double epsilon_under(Adjacency adjacency, const PrivacyPlan& plan) {
  if (adjacency == plan.adjacency) return plan.epsilon;
  const bool claims = !why_no_claim(plan.solver, plan.run, adjacency, plan.delta);
  return epsilon_bound(claims ? plan.solver : Accountant::pld, plan.run, adjacency, plan.delta);
}

}  // namespace

PrivacyPlan plan_privacy(const PrivacyRequest& request) {
  check_target(request);
  PrivacyPlan plan;
  plan.solved_for = solved_for(request);
  plan.solver = request.accountants.front();
  plan.adjacency = request.adjacency;
  plan.run = requested_run(request, plan.solved_for);
  const PrivacyTarget target{request.adjacency, request.epsilon.value_or(0.0),
                             request.delta.value_or(0.0)};
  std::optional<Bracket> known;  // pld queries are expensive; none is repeated
  if (plan.solved_for == SolvedFor::noise_multiplier || plan.solved_for == SolvedFor::steps) {
    SolvedRun solved = plan.solved_for == SolvedFor::steps
                           ? solve_steps(plan.run.front(), target, plan.solver)
                           : solve_noise(plan.run, target, plan.solver);
    plan.run = std::move(solved.run);
    for (GaussianPhase& phase : plan.run) phase.noise_multiplier = on_grid(phase.noise_multiplier);
    known = solved.pld_epsilon;
  }
  if (plan.solved_for == SolvedFor::delta) {
    solve_delta(plan, *request.epsilon);
  } else {
    plan.delta = *request.delta;
    if (plan.solver == Accountant::pld && !known) {
      known = pld_epsilon(plan.run, plan.adjacency, plan.delta);
    }
    plan.epsilon =
        known ? known->upper : epsilon_bound(plan.solver, plan.run, plan.adjacency, plan.delta);
    if (!std::isfinite(plan.epsilon)) {
      throw UsageError(kTooLarge, "no finite epsilon can be certified for this run.",
                       "Use more noise, fewer steps or a larger delta.");
    }
  }
  add_reports(plan, request.accountants, known);
  plan.epsilon_add_remove = epsilon_under(Adjacency::add_remove, plan);
  plan.epsilon_substitute = epsilon_under(Adjacency::substitute, plan);
  return plan;
}

PrivacyPlan plan_privacy_of_fit(PrivacyRequest request) {
  if (!request.epsilon && !request.noise_multiplier && request.phases.empty()) {
    refuse("epsilon is missing.", "Give the privacy budget of the fit, for example --epsilon 1.");
  }
  if (request.epsilon && request.noise_multiplier) {
    refuse("epsilon and noise-multiplier contradict each other.",
           "Give --epsilon or --noise-multiplier; the other one is computed.");
  }
  if (!request.delta) request.delta = kDefaultDelta;
  if (!request.steps && request.phases.empty()) request.steps = kDefaultSteps;
  return plan_privacy(request);
}

PrivacyPlan plan_privacy_of_trace(PrivacyRequest request, FirstRelease first) {
  constexpr std::int64_t kParts = 4;
  const std::int64_t releases = request.steps.value_or(kGradientReleases);
  if (request.noise_multiplier || request.sampling_rate || !request.phases.empty()) {
    refuse("the releases of a fit by measurements follow from epsilon alone.",
           "Leave out noise-multiplier, sampling-rate and phases, or use --posterior variational.");
  }
  if (!request.epsilon) {
    refuse("epsilon is missing.", "Give the privacy budget of the fit, for example --epsilon 1.");
  }
  if (releases < kParts || releases % kParts != 0) {
    refuse(
        fmt::format("steps is {}; a fit by measurements takes a multiple of {}.", releases, kParts),
        fmt::format("Use for example --steps {}.", kGradientReleases));
  }
  if (!request.delta) request.delta = kDefaultDelta;
  request.steps.reset();
  // A share of the squared noise multiplier's inverse adds up over the releases.
  double rest = 1.0;
  if (first == FirstRelease::counts) {
    request.phases.push_back({1.0, 1.0 / std::sqrt(kCountsShare), 1});
    rest -= kCountsShare;
  }
  request.phases.push_back({1.0, 1.0 / std::sqrt(rest * kInformationShare), 1});
  const double one = rest * (1.0 - kInformationShare) / static_cast<double>(releases);
  for (std::int64_t part = 0; part < kParts; ++part) {
    const double weight = static_cast<double>(2 * part + 1) / kParts;
    request.phases.push_back({1.0, 1.0 / std::sqrt(one * weight), releases / kParts});
  }
  return plan_privacy(request);
}

}  // namespace dpvi
