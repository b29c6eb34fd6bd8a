#pragma once

#include <cstdint>
#include <functional>

#include <dpvi/fit/prepared_records.hpp>
#include <dpvi/fit/private_fit_plan.hpp>
#include <dpvi/fit/record_file.hpp>

namespace dpvi {

struct FitSpeed;
struct FittedPosterior;
class RecordModel;

// Called with steps done and steps in all; false stops the run.
using FitProgress = std::function<bool(std::int64_t done, std::int64_t all)>;

// Appends the rows of a table in memory. Called once, with a finished plan at hand.
using FillRecords = std::function<void(PreparedRecords& records)>;

// Private records, opened with the plan that says what a fit of them costs.
// Guarantee: opening private records takes a finished plan, and records that were opened serve one
// fit, by that plan. A second fit has to open them again, with a plan of its own.
class PrivateRecords {
 public:
  PrivateRecords(PrivateRecords&&) noexcept = default;
  PrivateRecords& operator=(PrivateRecords&&) noexcept = default;
  PrivateRecords(const PrivateRecords&) = delete;
  PrivateRecords& operator=(const PrivateRecords&) = delete;

  const PrivateFitPlan& plan() const { return plan_; }

 private:
  friend PrivateRecords open_records(const PrivateFitPlan& plan, const FillRecords& fill);
  friend FittedPosterior fit_privately(PrivateRecords records, const FitSpeed& speed,
                                       const FitProgress& progress);

  PrivateRecords(PrivateFitPlan plan, RecordTable table)
      : plan_(std::move(plan)), table_(std::move(table)) {}

  PrivateFitPlan plan_;
  RecordTable table_;
};

// Opens records that are in memory, or come from elsewhere than a file.
PrivateRecords open_records(const PrivateFitPlan& plan, const FillRecords& fill);

// Reads the rows of the file and checks their structure to the last byte; what is malformed is an
// InputError, and nothing is spent. The plan must have been made with the file's binding.
PrivateRecords open_records(const PrivateFitPlan& plan, RecordFile file,
                            InspectFirst inspect = InspectFirst::no);

// Records for a fit without protection. What is computed from them is not private.
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
UnprotectedRecords open_unprotected_records(const RecordModel& model, RecordFile file,
                                            InspectFirst inspect = InspectFirst::no);

}  // namespace dpvi
