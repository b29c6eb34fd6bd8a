#pragma once

#include <span>
#include <vector>

#include <dpvi/fit/prepare/mock_record.hpp>
#include <dpvi/tape/lanes/record_tape.hpp>

namespace dpvi {

// Evaluates a tape on mock records, up to kLanes at a time, at one theta.
class RecordLanes {
 public:
  // The tape must outlive this.
  RecordLanes(const RecordTape& tape, std::span<const double> theta);

  // The value for each record.
  const double* values(std::span<const MockRecord> records);
  // The gradient for each record: entry j of record k is [j * kLanes + k]. Zero where the value is
  // not finite.
  const double* gradients(std::span<const MockRecord> records);

 private:
  LaneBlock<double> prepared(std::span<const MockRecord> records);

  const RecordTape& tape_;
  TapeWorkspace<double> workspace_;
  RecordPreparer preparer_;
  LaneBuffer<double> reals_;
  std::vector<std::int32_t> ints_;
  std::vector<double> row_reals_;  // one record
  std::vector<std::int32_t> row_ints_;
  std::vector<double> gradients_;
  double values_[kLanes] = {};
};

}  // namespace dpvi
