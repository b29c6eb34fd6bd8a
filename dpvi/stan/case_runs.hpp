#pragma once

#include <vector>

#include <dpvi/stan/program_run.hpp>

namespace dpvi {

// The program on the unknown record. Where it needs an int of the record to be known (the size of a
// local variable, the ends of a slice, the condition of a while loop), it is run once for each
// value that the declared bounds allow, and a record takes the terms of the case it falls into; one
// that falls into none contributes NaN. The ends of a slice need no declared bounds: the container
// has some, and one more run is made for the values outside of it.
class CaseRuns {
 public:
  CaseRuns(const RunSetting& setting, GraphBuilder& builder)
      : setting_(setting), builder_(builder) {}

  std::vector<TargetTerm> terms() { return run(); }
  // Of any of the runs; they agree.
  const std::vector<RecordVariable>& columns() const { return columns_; }
  // Whether the program needed some int to be known.
  bool has_cases() const { return has_cases_; }

 private:
  std::vector<TargetTerm> run();
  std::vector<TargetTerm> split(const CaseSplit& split);
  std::vector<TargetTerm> joined(const CaseSplit& split,
                                 const std::vector<std::vector<TargetTerm>>& cases);

  const RunSetting& setting_;
  GraphBuilder& builder_;
  AssumedInts assumed_;
  std::set<NodeId> outside_;
  std::vector<RecordVariable> columns_;
  bool has_cases_ = false;
  std::int64_t spent_ = 0;  // steps of all runs together
};

}  // namespace dpvi
