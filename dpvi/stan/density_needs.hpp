#pragma once

#include <vector>

#include <dpvi/stan/syntax_tree.hpp>

namespace dpvi {

// Which transformed data the density can depend on: what parameters, transformed parameters and the
// model block read, and what that is computed from. The rest (test statistics of the data, say)
// serves generated quantities alone. Reads the text only and errs on the side of need.
class DensityNeeds {
 public:
  explicit DensityNeeds(const StanProgram& program);

  bool needs(int slot) const { return needed_[static_cast<std::size_t>(slot)]; }
  // Without the statement the density would be the same. Statements that may reject are needed.
  bool can_do_without(const StanStatement& statement) const;

 private:
  void read(const ExpressionPtr& expression);
  void read(const Declaration& declaration);
  void read_all(const StanStatement& statement);
  // Reads what the needed parts of a statement read.
  void trace(const StanStatement& statement);

  std::vector<bool> needed_;
  bool changed_ = false;
};

}  // namespace dpvi
