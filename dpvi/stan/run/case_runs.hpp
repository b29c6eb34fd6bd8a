#pragma once

#include <optional>
#include <vector>

#include <dpvi/stan/run/program_run.hpp>

namespace dpvi {

// Runs the program on one symbolic record. The program may need the value of an int of the record:
// the size of a local variable, a slice bound, the condition of a while loop. It is then run once
// for each value within the declared bounds, and a record uses the terms of the case that matches
// it. A record that matches no case contributes NaN. Slice bounds need no declared bounds: the
// container's size limits them, and one more run covers all values outside it.
class CaseRuns {
 public:
  // `table` is the index of the record's table, if there are several.
  CaseRuns(const RunSetting& setting, GraphBuilder& builder, std::size_t table = 0)
      : setting_(setting), builder_(builder), table_(table) {}

  std::vector<TargetTerm> terms() { return run(); }
  // The record columns; all runs agree on them.
  const std::vector<RecordVariable>& columns() const { return columns_; }
  const std::vector<RecordVariable>& latents() const { return latents_; }
  // True if the program needed the value of some int.
  bool has_cases() const { return has_cases_; }

 private:
  using Terms = std::vector<TargetTerm>;

  Terms run();
  Terms split(const CaseSplit& split);
  // Combines the terms of all cases; nullopt marks a case in which the program fails.
  Terms joined(const CaseSplit& split, const std::vector<std::optional<Terms>>& cases);

  const RunSetting& setting_;
  GraphBuilder& builder_;
  std::size_t table_;
  AssumedInts assumed_;
  std::set<NodeId> outside_;
  std::vector<RecordVariable> columns_;
  std::vector<RecordVariable> latents_;
  bool has_cases_ = false;
  std::int64_t spent_ = 0;  // steps of all runs together
};

}  // namespace dpvi
