#pragma once

#include <set>
#include <vector>

#include <dpvi/stan/program_run.hpp>
#include <dpvi/tape/reference_evaluator.hpp>

namespace dpvi {

// A record's columns as a graph reads them.
struct MadeUpColumns {
  explicit MadeUpColumns(const MadeUpRecord& record)
      : reals(record.reals), integers(record.integers.begin(), record.integers.end()) {}
  RecordValues values() const { return {reals, integers}; }

  std::vector<double> reals;
  std::vector<std::int32_t> integers;
};

// Which ways the conditions of a graph have gone so far.
class BranchCoverage {
 public:
  // Of all conditions below `root`.
  BranchCoverage(GraphBuilder& builder, NodeId root);

  // True if some condition goes a way here that none of the points before took it.
  bool is_new(const std::vector<double>& theta, const MadeUpRecord& record);
  bool has_conditions() const { return has_conditions_; }

 private:
  const Graph& graph_;
  NodeId conditions_;
  bool has_conditions_ = false;
  std::set<std::pair<std::size_t, bool>> seen_;
};

}  // namespace dpvi
