#pragma once

#include <cstdint>
#include <vector>

#include <dpvi/stan/facts/data_block.hpp>

namespace dpvi {

// Determines which variables of a program can depend on record data or their number, and which on
// random draws. The analysis is purely syntactic and conservative: a variable is free of records
// only if every statement that could change it is.
class RecordDependence {
 public:
  // If `facts_are_public` is set, the mean, sd, variance, min and max of record data count as
  // public, because declared facts replace them. Nothing replaces those of quantities that are
  // computed from records outside the transformed data.
  RecordDependence(const StanProgram& program, const DataBlock& data, bool facts_are_public);

  bool on_records(int slot) const {
    return (marks_[static_cast<std::size_t>(slot)] & (kRecords | kCount)) != 0;
  }
  // True if the variable depends on the number of records but on nothing else about them.
  bool on_count_alone(int slot) const {
    return (marks_[static_cast<std::size_t>(slot)] & (kRecords | kCount)) == kCount;
  }
  bool on_draws(int slot) const { return (marks_[static_cast<std::size_t>(slot)] & kDraws) != 0; }
  bool on_records(const StanExpression& expression) const {
    return (marks_of(expression) & (kRecords | kCount)) != 0;
  }
  // True if everything the statement could change depends on records or draws, so that a run that
  // needs only the rest can skip it. Also true for print and reject.
  bool can_be_left_out(const StanStatement& statement) const;
  // From now on, keeps statements that depend on draws but not on records.
  void keep_draws() { left_out_ = kRecords | kCount; }

 private:
  using Marks = std::uint8_t;
  static constexpr Marks kRecords = 1;
  static constexpr Marks kCount = 2;
  static constexpr Marks kDraws = 4;

  Marks marks_of_sizes(const Declaration& declaration) const;
  Marks marks_of(const StanExpression& expression) const;
  Marks marks_of(const ExpressionPtr& expression) const {
    return expression ? marks_of(*expression) : Marks{0};
  }
  // True if all variables in the expression that depend on records are data or transformed data.
  bool is_of_data(const StanExpression& expression) const;
  void visit(const StanStatement& statement, Marks around);
  void visit_loop(const StanStatement& statement, Marks around);
  void mark(int slot, Marks marks);

  std::vector<Marks> marks_;
  std::vector<bool> of_data_;  // declared in the data or transformed data block
  Marks left_out_ = kRecords | kCount | kDraws;
  bool facts_are_public_;
  bool changed_ = false;
  bool in_data_ = false;  // visiting transformed data
  Marks jumps_ = 0;       // marks of the break and continue statements of the innermost loop
};

}  // namespace dpvi
