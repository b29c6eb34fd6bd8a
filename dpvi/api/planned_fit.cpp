#include <dpvi/api/planned_fit.hpp>

#include <utility>

#include <dpvi/api/start_choice.hpp>
#include <dpvi/base/utc_clock.hpp>

namespace dpvi {

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
