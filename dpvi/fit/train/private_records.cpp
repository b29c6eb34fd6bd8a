#include <dpvi/fit/train/private_records.hpp>

#include <algorithm>
#include <cstddef>

#include <dpvi/base/error.hpp>
#include <dpvi/fit/prepare/record_model.hpp>
#include <dpvi/fit/prepare/stored_rows.hpp>

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

void refuse_equal_parts(const RankShare& share, const std::vector<std::string>& digests) {
  for (std::size_t i = 0; i < digests.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (digests[i] != digests[j] || share.is_empty(i)) continue;
      throw InputError(kOtherLedger, "two ranks have the same part of the table.",
                       "Give each record to one rank, or say that every rank has the whole table.");
    }
  }
}

RecordTable filled(PreparedRecords records, const FillRecords& fill) {
  fill(records);
  return std::move(records).gathered();
}

PreparedRecords empty_records(const ModelToFit& model) {
  if (model.simulation) return {*model.tape, model.precision, model.simulation->width};
  if (model.bins) return {*model.tape, model.precision, model.bins};
  if (model.unit) return {*model.tape, model.precision, *model.unit};
  return {*model.tape, model.precision, model.outcome};
}

// Decided by public facts and the number of rows. Rows of one unit must be side by side, which
// takes memory.
bool is_read_in_steps(const RecordStore& store, const PrivateFitPlan& plan,
                      const RecordMemory& memory) {
  if (plan.binding().unit) return false;
  const std::uint64_t row = empty_records(plan.model()).table().bytes_per_row();
  return store.rows() > memory.most_bytes / row;
}

}  // namespace

void PrivateRecords::share(RankLink& link, RankTable table,
                           const std::vector<std::string>& part_digests) {
  const bool several_rows = plan_.model().unit || plan_.binding().unit;
  if (several_rows && table == RankTable::part && link.size() > 1) {
    throw UsageError(kContradiction,
                     "records are units of several rows, and a unit could have rows on two ranks.",
                     "Give every rank the whole table; each takes its range of the units.");
  }
  share_.emplace(link, table, stored_ ? stored_->record_count() : table_.record_count());
  refuse_equal_parts(*share_, part_digests);
}

PrivateRecords open_records(const PrivateFitPlan& plan, const FillRecords& fill) {
  return {plan, filled(empty_records(plan.model()), fill)};
}

PrivateRecords open_records(const PrivateFitPlan& plan, UnopenedRecords unopened,
                            InspectFirst inspect, const RecordMemory& memory) {
  if (!same_columns(plan.binding(), unopened.binding())) {
    throw InternalError(kInternal, "the plan was made for a table with other columns.",
                        "Make the plan with the binding of the records that are opened.");
  }
  const std::shared_ptr<const RecordStore> store = unopened.verified_store();
  if (store && is_read_in_steps(*store, plan, memory)) {
    unopened.inspect_store(inspect);
    return {plan, std::make_unique<StoredRows>(store, plan.binding(),
                                               [plan] { return empty_records(plan.model()); })};
  }
  return open_records(
      plan, [&](PreparedRecords& records) { std::move(unopened).read_rows(records, inspect); });
}

UnprotectedRecords open_unprotected_records(const RecordModel& model, const FillRecords& fill) {
  return UnprotectedRecords(filled(model.empty_records(Precision::double_precision), fill));
}

UnprotectedRecords open_unprotected_records(const RecordModel& model, UnopenedRecords unopened,
                                            InspectFirst inspect) {
  unopened.verified_store();
  return open_unprotected_records(
      model, [&](PreparedRecords& records) { std::move(unopened).read_rows(records, inspect); });
}

}  // namespace dpvi
