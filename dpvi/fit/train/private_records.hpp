#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <dpvi/fit/plan/private_fit_plan.hpp>
#include <dpvi/fit/prepare/prepared_records.hpp>
#include <dpvi/fit/prepare/unopened_records.hpp>
#include <dpvi/fit/train/fitted_posterior.hpp>
#include <dpvi/fit/train/rank_share.hpp>
#include <dpvi/gradient/record_window.hpp>

namespace dpvi {

class RecordModel;

// Appends the rows of a table in memory. Called once, after the plan is finished.
using FillRecords = std::function<void(PreparedRecords& records)>;

// How much memory records may take. Changes nothing but speed.
struct RecordMemory {
  // A record store with more prepared rows is read again in every step. Other tables, and stores
  // whose rows belong to units, are held in memory in any case.
  std::uint64_t most_bytes = std::uint64_t{1} << 30;
};

// Private records, opened with the plan that fixes the cost of fitting them.
//
// Guarantee: opening private records takes a finished plan, and opened records serve one fit, under
// that plan. A second fit must open them again, with its own plan.
class PrivateRecords {
 public:
  PrivateRecords(PrivateRecords&&) noexcept = default;
  PrivateRecords& operator=(PrivateRecords&&) noexcept = default;
  PrivateRecords(const PrivateRecords&) = delete;
  PrivateRecords& operator=(const PrivateRecords&) = delete;

  const PrivateFitPlan& plan() const { return plan_; }

  // Makes these the records of one rank of a job. Every rank calls it, once, before the fit. A unit
  // whose rows were in the parts of two ranks would count twice, so records of several rows need
  // the whole table on each rank. Two ranks whose parts are not empty and have equal digests are
  // refused: one table was given twice. `link` must outlive the fit.
  void share(RankLink& link, RankTable table, const std::vector<std::string>& part_digests = {});

 private:
  friend PrivateRecords open_records(const PrivateFitPlan& plan, const FillRecords& fill);
  friend PrivateRecords open_records(const PrivateFitPlan& plan, UnopenedRecords unopened,
                                     InspectFirst inspect, const RecordMemory& memory);
  friend FittedPosterior fit_privately(PrivateRecords records, const FitSpeed& speed,
                                       const FitProgress& progress);
  friend void serve_privately(PrivateRecords records, const FitSpeed& speed);

  PrivateRecords(PrivateFitPlan plan, RecordTable table)
      : plan_(std::move(plan)), table_(std::move(table)) {}
  PrivateRecords(PrivateFitPlan plan, std::unique_ptr<const StoredRecords> stored)
      : plan_(std::move(plan)), table_(0, 0), stored_(std::move(stored)) {}

  PrivateFitPlan plan_;
  RecordTable table_;
  std::unique_ptr<const StoredRecords> stored_;  // nullptr: the records are in the table
  std::optional<RankShare> share_;
};

// Opens records that `fill` appends, in the columns that the model's tape reads.
PrivateRecords open_records(const PrivateFitPlan& plan, const FillRecords& fill);

// Reads all rows. A file is checked to its end: if it is malformed, InputError is thrown and no
// budget is spent. The plan must have been made with the binding of these records.
PrivateRecords open_records(const PrivateFitPlan& plan, UnopenedRecords unopened,
                            InspectFirst inspect = InspectFirst::no,
                            const RecordMemory& memory = {});

// Records for an unprotected fit. Results computed from them are not private.
class UnprotectedRecords {
 public:
  UnprotectedRecords(UnprotectedRecords&&) noexcept = default;
  UnprotectedRecords& operator=(UnprotectedRecords&&) noexcept = default;
  UnprotectedRecords(const UnprotectedRecords&) = delete;
  UnprotectedRecords& operator=(const UnprotectedRecords&) = delete;

  std::uint64_t record_count() const { return table_.record_count(); }
  const RecordTable& table() const { return table_; }

 private:
  friend UnprotectedRecords open_unprotected_records(const RecordModel& model,
                                                     const FillRecords& fill);

  explicit UnprotectedRecords(RecordTable table) : table_(std::move(table)) {}

  RecordTable table_;
};

UnprotectedRecords open_unprotected_records(const RecordModel& model, const FillRecords& fill);
UnprotectedRecords open_unprotected_records(const RecordModel& model, UnopenedRecords unopened,
                                            InspectFirst inspect = InspectFirst::no);

}  // namespace dpvi
