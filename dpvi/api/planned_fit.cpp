#include <dpvi/api/planned_fit.hpp>

#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include <dpvi/api/start_choice.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/base/utc_clock.hpp>

namespace dpvi {
namespace {

// The draws of a result are held in memory, several times while its files are written. They must
// fit before a budget is spent.
void refuse_too_many_draws(const BoundModel& bound, const FitSettings& settings) {
  constexpr std::int64_t kMostNumbers = std::int64_t{1} << 26;
  std::int64_t numbers = 1;
  for (const OutputVariable& output : bound.model.outputs()) numbers += output.size();
  if (settings.draws <= kMostNumbers / numbers) return;
  const std::int64_t most = kMostNumbers / numbers;
  throw UsageError(
      kTooLarge,
      fmt::format("{} draws of {} numbers are more than {} numbers.", settings.draws, numbers,
                  kMostNumbers),
      most > 0 ? fmt::format("Give --draws {} or less.", most)
               : "Leave out generated quantities and transformed parameters that are not needed.");
}

}  // namespace

FitSettings with_declared_rows(FitSettings settings, const Schema& schema) {
  if (!settings.rows && schema.rows) settings.rows = static_cast<double>(*schema.rows);
  return settings;
}

MockStudy study_for(const BoundModel& bound, const FitSettings& settings) {
  const FitSettings completed = with_declared_rows(settings, bound.program.inputs().schema);
  return study_mock_records(bound.model, bound.binding, completed.rows.value_or(kUndeclaredRows));
}

PlannedFit::PlannedFit(std::shared_ptr<const BoundModel> bound, const PrivacyPlan& privacy,
                       const FitRequest& request, MockStudy study, PosteriorChoice posterior) {
  StartChoice start = read_start(request.init, bound->model, StartOf::private_fit);
  FitSettings settings = with_declared_rows(request.settings, bound->program.inputs().schema);
  refuse_too_many_draws(*bound, settings);
  settings.initial = std::move(start.values);
  settings.posterior = posterior.kind;
  if (posterior.trace) {
    settings.family = FamilyKind::full_rank;
    settings.clip = ClipMode::fixed;
  }
  PrivateFitPlan plan = plan_private_fit(bound->model, bound->binding, privacy, settings, study,
                                         std::move(posterior.trace));
  PriorFacts prior = prior_facts(bound->model.prior(), bound->model.dimension());
  parts_ = std::make_shared<const Parts>(
      Parts{std::move(bound), std::move(settings), std::move(study), std::move(plan),
            std::move(start.public_facts), request.inspect_first, std::move(posterior.reason),
            utc_now(), std::move(prior)});
}

PosteriorKind PlannedFit::posterior() const {
  return plan().trace() ? PosteriorKind::trace : PosteriorKind::variational;
}

std::optional<NoiseForecast> PlannedFit::forecast() const {
  if (!settings().rows) return std::nullopt;
  return forecast_for(*settings().rows);
}

NoiseForecast PlannedFit::forecast_for(double rows) const {
  FitSettings other = settings();
  other.rows = rows;
  NoiseForecast found = *dpvi::forecast(plan(), other, study());
  add_prior(found, model().used_by_records(), parts_->prior);
  return found;
}

}  // namespace dpvi
