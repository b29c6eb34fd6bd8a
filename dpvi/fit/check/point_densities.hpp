#pragma once

#include <span>
#include <string>
#include <vector>

#include <dpvi/fit/check/failing_statement.hpp>
#include <dpvi/fit/prepare/public_records.hpp>
#include <dpvi/fit/prepare/record_model.hpp>

namespace dpvi {

// A log density with its gradient, or the reason why it is undefined.
struct DensityValue {
  double lp = 0;
  std::vector<double> gradient;
  std::string error;
};

// Densities of a program at one theta: `prior` without records, `records[i]` the contribution of
// record i, `total` with all records. All constants and the Jacobian are included.
struct PointDensities {
  DensityValue prior;
  std::vector<DensityValue> records;
  DensityValue total;
};

// Evaluates a model on public records in double precision.
class PointEvaluator {
 public:
  PointEvaluator(const RecordModel& model, PublicRecords records, const FailingStatement& failing);

  // `records` stays empty if the prior is undefined at theta.
  PointDensities at(std::span<const double> theta);

 private:
  void add_block(std::span<const double> theta, std::span<const std::uint64_t> records,
                 PointDensities& point);
  std::string explain(std::span<const double> theta, std::uint64_t record);

  const RecordModel& model_;
  PublicRecords public_;
  std::vector<std::string> problems_;  // per record
  RecordTable prepared_;
  const FailingStatement& failing_;
  int explained_ = 0;
  TapeWorkspace<> workspace_;
};

}  // namespace dpvi
