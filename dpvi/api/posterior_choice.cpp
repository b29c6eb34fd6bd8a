#include <dpvi/api/posterior_choice.hpp>

#include <fmt/format.h>

#include <utility>

#include <dpvi/api/planned_fit.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/fit/trace/redundant_numbers.hpp>

namespace dpvi {
namespace {

bool has_phases_of_its_own(const PrivacyRequest& privacy) {
  return privacy.noise_multiplier || privacy.sampling_rate || !privacy.phases.empty();
}

bool changes_steps(const FitSettings& settings) {
  const FitSettings by_default;
  return settings.optimizer != by_default.optimizer || settings.schedule ||
         settings.learning_rate || settings.averaged_share != by_default.averaged_share ||
         settings.initial_scale != by_default.initial_scale || settings.langevin;
}

bool changes_clipping(const FitSettings& settings) {
  const FitSettings by_default;
  return settings.gradient != by_default.gradient || settings.clip != by_default.clip ||
         !settings.clip_bounds.empty();
}

// What in the request only a variational fit has; empty if there is nothing.
std::string variational_part(const FitRequest& request) {
  const FitSettings by_default;
  const FitSettings& settings = request.settings;
  const Accountant solver =
      request.privacy.accountants.empty() ? Accountant::pld : request.privacy.accountants.front();
  if (request.privacy.steps) return "a number of steps";
  if (has_phases_of_its_own(request.privacy)) return "the phases of its steps";
  if (solver != Accountant::pld && solver != Accountant::rdp) return "the accountant";
  if (settings.family != by_default.family || settings.rank != by_default.rank) return "a family";
  if (changes_clipping(settings)) return "how gradients are clipped";
  if (changes_steps(settings)) return "how steps are taken";
  return {};
}

}  // namespace

PosteriorKind requested_posterior(const FitRequest& request) {
  const PosteriorKind kind = request.settings.posterior;
  if (kind != PosteriorKind::automatic) return kind;
  return variational_part(request).empty() ? kind : PosteriorKind::variational;
}

PosteriorChoice choose_posterior(const BoundModel& bound, const FitRequest& request,
                                 const MockStudy& study) {
  const bool automatic = request.settings.posterior == PosteriorKind::automatic;
  if (requested_posterior(request) == PosteriorKind::variational) {
    if (!automatic) return {};
    return {.reason = fmt::format("the settings give {}", variational_part(request))};
  }
  if (automatic && !bound.model.stan().latents.empty()) {
    return {.reason = "latent variables of records are integrated out"};
  }
  const FitSettings settings = with_declared_rows(request.settings, bound.program.inputs().schema);
  TraceChoice found =
      choose_trace(bound.model, bound.binding, settings, study, release_model(bound));
  if (automatic && found.plan) {
    std::string reason = reason_against_default(*found.plan, bound.binding);
    if (!reason.empty()) return {.reason = std::move(reason)};
    if (has_redundant_numbers(*found.plan, bound.binding)) {
      return {.reason =
                  "numbers that records use can shift together without a change, as an "
                  "intercept and all effects can"};
    }
  }
  if (found.plan) {
    return {.kind = PosteriorKind::trace,
            .reason = automatic ? std::move(found.reason) : "as requested",
            .trace = std::move(found.plan)};
  }
  if (automatic) return {.reason = std::move(found.reason)};
  throw UsageError(
      kContradiction,
      fmt::format("the posterior cannot be inferred from measurements: {}.", found.reason),
      "Use --posterior variational.");
}

}  // namespace dpvi
