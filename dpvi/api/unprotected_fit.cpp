#include <dpvi/api/unprotected_fit.hpp>

#include <algorithm>
#include <utility>

#include <dpvi/api/fit_description.hpp>
#include <dpvi/api/planned_fit.hpp>
#include <dpvi/api/start_choice.hpp>
#include <dpvi/base/utc_clock.hpp>
#include <dpvi/fit/prepare/prior_draw.hpp>
#include <dpvi/fit/train/unprotected_fit.hpp>

namespace dpvi {
namespace {

// Returns starting points for a mixture model, or an empty list for other programs. Mixture
// components that start equal stay equal, and most starts lead to a mode that is not the highest.
std::vector<std::vector<double>> mode_starts_of_mixture(const BoundModel& bound) {
  constexpr std::size_t kPriorDraws = 3;
  const MockStudy study = study_mock_records(bound.model, bound.binding, kUndeclaredRows);
  if (!study.components_separated) return {};
  SeededStream stream = SeededGenerator(1).stream({.label = StreamLabel::initial_value, .step = 2});
  auto mode_starts =
      draws_from_prior(bound.model.prior(), bound.model.dimension(), kPriorDraws, stream);
  mode_starts.push_back(study.start);
  mode_starts.emplace_back(bound.model.dimension(), 0.0);
  return mode_starts;
}

UnprotectedFitRequest completed(UnprotectedFitRequest request, const BoundModel& bound) {
  FitSettings& settings = request.settings;
  settings = with_declared_rows(std::move(settings), bound.program.inputs().schema);
  settings.initial = read_start(request.init, bound.model, StartOf::unprotected_fit).values;
  if (!settings.initial) settings.mode_starts = mode_starts_of_mixture(bound);
  return request;
}

}  // namespace

OpenedUnprotectedFit::OpenedUnprotectedFit(BoundTable table, UnprotectedFitRequest request)
    : opened_at_(utc_now()),
      bound_(std::move(table.bound)),
      request_(completed(std::move(request), *bound_)),
      records_(open_unprotected_records(bound_->model, std::move(table.records),
                                        request_.inspect_first)) {}

OpenedUnprotectedFit open_unprotected_records(const Program& program, Table table,
                                              const UnprotectedFitRequest& request) {
  check_fit_settings(request.settings, 1);
  return {bind_to_table(program, std::move(table)), request};
}

GaussianPhase unprotected_phase(const UnprotectedFitRequest& request, std::uint64_t records) {
  const double batch_rate =
      std::min(1.0, request.batch / std::max(1.0, static_cast<double>(records)));
  return {request.sampling_rate.value_or(batch_rate), 1.0, request.steps};
}

FitResult fit_without_protection(OpenedUnprotectedFit opened, const FitExecution& execution) {
  const BoundModel& bound = *opened.bound_;
  const UnprotectedFitRequest& request = opened.request_;
  const GaussianPhase phase = unprotected_phase(request, opened.records_.record_count());
  FittedPosterior fitted =
      fit_unprotected(bound.model, opened.records_, {phase, request.seed}, request.settings,
                      speed_of(execution), execution.progress);
  if (!fitted.completed) throw stopped("");
  if (execution.profile) execution.profile(fitted.times);
  FitResult result = describe_fit(bound, request.settings, std::move(fitted));
  result.started_at = opened.opened_at_;
  result.inspected_first = request.inspect_first == InspectFirst::yes;
  draw_outputs(result, bound, request.settings.draws, request.seed);
  return result;
}

}  // namespace dpvi
