#pragma once

#include <set>
#include <vector>

#include <dpvi/stan/run/program_run.hpp>
#include <dpvi/tape/reference/reference_evaluator.hpp>

namespace dpvi {

// A mock record in the column layout that graphs read.
struct MockColumns {
  explicit MockColumns(const ProgramRecord& record)
      : reals(record.reals), integers(record.integers.begin(), record.integers.end()) {}
  RecordValues values() const { return {reals, integers}; }

  std::vector<double> reals;
  std::vector<std::int32_t> integers;
};

// Tracks which outcomes the conditions of a graph have had so far.
class BranchCoverage {
 public:
  // Covers all conditions reachable from `root`.
  BranchCoverage(GraphBuilder& builder, NodeId root);

  // True if some condition has an outcome here that no earlier point produced.
  bool is_new(const std::vector<double>& theta, const ProgramRecord& record);
  bool has_conditions() const { return has_conditions_; }

 private:
  const Graph& graph_;
  NodeId conditions_;
  bool has_conditions_ = false;
  std::set<std::pair<std::size_t, bool>> seen_;
};

}  // namespace dpvi
