#include <dpvi/fit/train/private_records.hpp>

#include <algorithm>

#include <dpvi/base/error.hpp>
#include <dpvi/fit/prepare/record_model.hpp>

namespace dpvi {
namespace {

bool same_columns(const Binding& planned, const Binding& found) {
  const auto same = [](const BoundColumn& a, const BoundColumn& b) {
    return a.name == b.name && a.position == b.position;
  };
  const bool same_unit = planned.unit.has_value() == found.unit.has_value() &&
                         (!planned.unit || (planned.unit->name == found.unit->name &&
                                            planned.unit->position == found.unit->position));
  return same_unit && std::equal(planned.columns.begin(), planned.columns.end(),
                                 found.columns.begin(), found.columns.end(), same);
}

RecordTable filled(PreparedRecords records, const FillRecords& fill) {
  fill(records);
  return std::move(records).gathered();
}

}  // namespace

PrivateRecords open_records(const PrivateFitPlan& plan, const FillRecords& fill) {
  const ModelToFit& model = plan.model();
  if (model.simulation) {
    return {plan,
            filled(PreparedRecords(*model.tape, model.precision, model.simulation->width), fill)};
  }
  if (model.bins) {
    return {plan, filled(PreparedRecords(*model.tape, model.precision, model.bins), fill)};
  }
  if (model.unit) {
    return {plan, filled(PreparedRecords(*model.tape, model.precision, *model.unit), fill)};
  }
  return {plan, filled(PreparedRecords(*model.tape, model.precision, model.outcome), fill)};
}

PrivateRecords open_records(const PrivateFitPlan& plan, UnopenedRecords unopened,
                            InspectFirst inspect) {
  if (!same_columns(plan.binding(), unopened.binding())) {
    throw InternalError(kInternal, "the plan was made for a table with other columns.",
                        "Make the plan with the binding of the records that are opened.");
  }
  return open_records(
      plan, [&](PreparedRecords& records) { std::move(unopened).read_rows(records, inspect); });
}

UnprotectedRecords open_unprotected_records(const RecordModel& model, const FillRecords& fill) {
  return UnprotectedRecords(filled(model.empty_records(Precision::double_precision), fill));
}

UnprotectedRecords open_unprotected_records(const RecordModel& model, UnopenedRecords unopened,
                                            InspectFirst inspect) {
  return open_unprotected_records(
      model, [&](PreparedRecords& records) { std::move(unopened).read_rows(records, inspect); });
}

}  // namespace dpvi
