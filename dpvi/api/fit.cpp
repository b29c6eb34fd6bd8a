#include <dpvi/api/fit.hpp>

#include <memory>

#include <dpvi/api/finished_fit.hpp>
#include <dpvi/api/fit_description.hpp>
#include <dpvi/data/id_columns.hpp>
#include <dpvi/fit/prepare/persons.hpp>
#include <dpvi/fit/train/private_fit.hpp>

namespace dpvi {
namespace {

PrivacyPlan plan_cost(const FitRequest& request, PosteriorKind kind,
                      FirstRelease first = FirstRelease::information) {
  return kind == PosteriorKind::variational ? plan_privacy_of_fit(request.privacy)
                                            : plan_privacy_of_trace(request.privacy, first);
}

// The privacy cost is settled before anything about the table is known. If program and schema
// decide how the posterior is found, it is that of measurements until they do.
PrivacyPlan plan_cost(const FitRequest& request) {
  check_fit_settings(request.settings, request.privacy.phases.size());
  return plan_cost(request, requested_posterior(request));
}

// What one record is must be declared before anything is spent.
void require_decided_unit(const UnopenedRecords& records) {
  const BindingRequest& request = records.request();
  std::vector<std::string> known;
  for (const DataVariable& variable : request.variables) known.push_back(variable.name);
  require_decided_unit(records.names(), request.schema, known, request.table_file);
}

// What an index stands for, persons or public groups, must be declared too.
void require_decided_levels(const Program& program, const FitRequest& request) {
  const ProgramInputs& inputs = program.inputs();
  const DeclaredTable declared{inputs.schema, inputs.public_data, request.settings.rows};
  const auto undecided =
      undecided_levels(inputs.program.program, program.data(), declared, inputs.file);
  if (undecided) throw *undecided;
}

// Mock records, which follow from program, schema and column names, settle everything else:
// working coordinates, start, clip bound and precision.
PlannedFit plan_with_mock_records(std::shared_ptr<const BoundModel> bound,
                                  const PrivacyPlan& privacy, const FitRequest& request) {
  MockStudy study = study_for(*bound, request.settings);
  PosteriorChoice posterior = choose_posterior(*bound, request, study);
  const bool counts = posterior.trace && posterior.trace->counts;
  const bool changed = counts || (posterior.kind == PosteriorKind::variational &&
                                  requested_posterior(request) == PosteriorKind::automatic);
  const FirstRelease first = counts ? FirstRelease::counts : FirstRelease::information;
  return {std::move(bound), changed ? plan_cost(request, posterior.kind, first) : privacy, request,
          std::move(study), std::move(posterior)};
}

}  // namespace

PlannedFit plan_fit(const Program& program, const FitRequest& request) {
  const PrivacyPlan privacy = plan_cost(request);
  require_decided_levels(program, request);
  auto bound = std::make_shared<const BoundModel>(bind_without_table(program));
  return plan_with_mock_records(std::move(bound), privacy, request);
}

UnopenedFit plan_fit(const Program& program, Table table, const FitRequest& request) {
  const PrivacyPlan privacy = plan_cost(request);
  require_decided_levels(program, request);
  auto [bound, records] = bind_to_table(program, std::move(table));
  require_decided_unit(records);
  return {plan_with_mock_records(std::move(bound), privacy, request), std::move(records)};
}

// Only here are rows read, and the plan can no longer change.
OpenedFit::OpenedFit(UnopenedFit unopened, const RecordMemory& memory)
    : planned_(unopened.planned_),
      records_(open_records(planned_.plan(), std::move(unopened.records_), planned_.inspect_first(),
                            memory)) {}

OpenedFit open_records(UnopenedFit unopened, const RecordMemory& memory) {
  return {std::move(unopened), memory};
}

// Every step of the loop releases one noisy sum of clipped record gradients (private_step.cpp).
// The rest, including the draws, is post-processing of these releases.
FitResult fit(OpenedFit opened, const FitExecution& execution) {
  const PlannedFit planned = opened.planned_;
  return finished_fit(
      planned, fit_privately(std::move(opened.records_), speed_of(execution), execution.progress),
      execution);
}

}  // namespace dpvi
