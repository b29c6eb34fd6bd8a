#pragma once

#include <optional>
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
  using Terms = std::vector<TargetTerm>;

  Terms run();
  Terms split(const CaseSplit& split);
  // The terms of all cases; a case without terms is one in which the program fails.
  Terms joined(const CaseSplit& split, const std::vector<std::optional<Terms>>& cases);

  const RunSetting& setting_;
  GraphBuilder& builder_;
  AssumedInts assumed_;
  std::set<NodeId> outside_;
  std::vector<RecordVariable> columns_;
  bool has_cases_ = false;
  std::int64_t spent_ = 0;  // steps of all runs together
};

}  // namespace dpvi
