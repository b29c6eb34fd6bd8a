#pragma once

#include <span>
#include <string>
#include <vector>

#include <dpvi/stan/made_up_records.hpp>
#include <dpvi/stan/record_dependence.hpp>
#include <dpvi/stan/stan_model.hpp>

namespace dpvi {

// A generated quantity in numbers; listed_entries() names them and says where they lie.
struct DrawnQuantity {
  std::string name;
  StanType type;
  Dims dims;
  std::vector<double> numbers;
};

// Runs a program's generated quantities, _rng functions included, at one known point theta at a
// time.
//
// Guarantee: no private record takes part; the records here are none, or ones the caller says are
// public.
class GeneratedDraws {
 public:
  // The program must be free of errors, `data` made from it; all four must outlive this.
  GeneratedDraws(const CheckedProgram& checked, const DataBlock& data,
                 const FunctionRegistry& registry, const StanModelOptions& options);

  // The quantities that are free of records.
  std::vector<DrawnQuantity> without_records(std::span<const double> theta,
                                             const UniformSource& draws) const;
  // All quantities, with N = 1: prediction for a public record. Its columns are in the order of
  // StanModel::record_variables.
  std::vector<DrawnQuantity> on_record(std::span<const double> theta, const MadeUpRecord& record,
                                       const UniformSource& draws) const;

 private:
  std::vector<DrawnQuantity> collected(ProgramRun& run, GraphBuilder& builder,
                                       bool with_records) const;

  RunSetting setting_;
  RecordDependence dependence_;
  std::vector<MadeUpRecord> made_up_;  // for programs that cannot run on no record
};

}  // namespace dpvi
