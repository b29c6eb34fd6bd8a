#pragma once

#include <vector>

#include <dpvi/stan/syntax/syntax_tree.hpp>

namespace dpvi {

// Finds the transformed data that the density can depend on: those that the parameters, transformed
// parameters and model blocks read, and those they are computed from. The rest, e.g. test
// statistics of the data, only serves generated quantities. The analysis is purely syntactic and
// conservative: if in doubt, a variable is needed.
class DensityNeeds {
 public:
  explicit DensityNeeds(const StanProgram& program);

  bool needs(int slot) const { return needed_[static_cast<std::size_t>(slot)]; }
  // True if the density is the same without the statement. A statement that may reject is always
  // needed.
  bool can_do_without(const StanStatement& statement) const;

 private:
  void read(const ExpressionPtr& expression);
  void read(const Declaration& declaration);
  void read_all(const StanStatement& statement);
  // Marks the variables that the needed parts of a statement read.
  void trace(const StanStatement& statement);

  std::vector<bool> needed_;
  bool changed_ = false;
};

}  // namespace dpvi
