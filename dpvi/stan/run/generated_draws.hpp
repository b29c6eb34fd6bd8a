#pragma once

#include <span>
#include <string>
#include <vector>

#include <dpvi/stan/facts/record_dependence.hpp>
#include <dpvi/stan/run/mock_record_generator.hpp>
#include <dpvi/stan/run/stan_model.hpp>

namespace dpvi {

// The values of a generated quantity; listed_entries() gives their names and order.
struct DrawnQuantity {
  std::string name;
  StanType type;
  Dims dims;
  std::vector<double> numbers;
};

// Runs a program's generated quantities, including _rng functions, at one known point theta per
// call.
//
// Guarantee: no private record is used; a run reads no record, a mock record, or a record that the
// caller declares public.
class GeneratedDraws {
 public:
  // The program must be free of errors and `data` made from it; all four arguments must outlive
  // this object.
  GeneratedDraws(const CheckedProgram& checked, const DataBlock& data,
                 const FunctionRegistry& registry, const StanModelOptions& options);

  // The quantities that do not depend on records.
  std::vector<DrawnQuantity> without_records(std::span<const double> theta,
                                             const UniformSource& draws) const;
  // All quantities for one public record (N = 1): a prediction. Its columns are in the order of
  // StanModel::record_variables.
  std::vector<DrawnQuantity> on_record(std::span<const double> theta, const ProgramRecord& record,
                                       const UniformSource& draws) const;

 private:
  std::vector<DrawnQuantity> collected(ProgramRun& run, GraphBuilder& builder,
                                       bool with_records) const;

  RunSetting setting_;
  RecordDependence dependence_;
  std::vector<ProgramRecord> mock_;  // for programs that cannot run without records
};

}  // namespace dpvi
