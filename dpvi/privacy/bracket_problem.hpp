#pragma once

#include <cstddef>
#include <limits>
#include <span>

#include <dpvi/privacy/bracket.hpp>
#include <dpvi/privacy/composition_layout.hpp>
#include <dpvi/privacy/event.hpp>
#include <dpvi/privacy/pld.hpp>

namespace dpvi {

// An epsilon or delta to be computed for one direction of a run. A grid of any length gives a valid
// bracket.
class BracketProblem {
 public:
  virtual ~BracketProblem() = default;

  virtual Bracket solve_on_grid(std::size_t length) = 0;
  // A grid length at which the answer is likely to be useful.
  virtual double rough_length() const = 0;
  // Distance between two values, in terms of epsilon; negative if the second is smaller.
  virtual double distance(double from, double to) const = 0;
  // A value reduced by an error that is given in terms of epsilon.
  virtual double lowered(double value, double error) const = 0;
  // The epsilon to which the answer refers.
  virtual double epsilon(const Bracket& answer) const = 0;
};

// Round-off of the last answer, which decides how much the next may have. It may cost a small share
// of the bracket that a longer grid will give, and no more.
struct RoundOffEstimate {
  double length = 0;
  double width = 0;      // of the last bracket, in terms of epsilon
  double round_off = 0;  // in the last bracket, in terms of epsilon
  bool coarse = false;   // true if the last bracket had no lower end

  double share_at(std::size_t next_length) const;
};

class EpsilonQuestion final : public BracketProblem {
 public:
  EpsilonQuestion(std::span<const GaussianPhase> run, Direction direction, double delta);

  Bracket solve_on_grid(std::size_t length) override;
  double rough_length() const override { return plan_.rough_length(); }
  double distance(double from, double to) const override { return to - from; }
  double lowered(double value, double error) const override { return value - error; }
  double epsilon(const Bracket& answer) const override { return answer.upper; }

 private:
  CompositionLayout plan_;
  double delta_;
  Bracket believed_;  // expected range of epsilon
  RoundOffEstimate memory_;
};

class DeltaQuestion final : public BracketProblem {
 public:
  DeltaQuestion(std::span<const GaussianPhase> run, Direction direction, double epsilon);

  Bracket solve_on_grid(std::size_t length) override;
  double rough_length() const override { return plan_.rough_length(); }
  double distance(double from, double to) const override;
  double lowered(double value, double error) const override;
  double epsilon(const Bracket&) const override { return epsilon_; }

 private:
  CompositionLayout plan_;
  double epsilon_;
  RoundOffEstimate memory_;
};

// Repeats a question with ever longer grids until the upper end is as accurate as wanted or the
// effort is used up. All brackets are valid, so their intersection is too.
class Refinement {
 public:
  Refinement(BracketProblem& question, const PldEffort& effort, std::int64_t steps);

  // Stops refining once the answer is shown to be at most `decided`.
  Bracket run(double decided);

  // True if a bracket is wider than the effort allows.
  bool too_wide(const Bracket& answer) const { return excess_width(answer) > 1; }

 private:
  void refine(std::size_t length);
  std::size_t next_length() const;
  double excess_width(const Bracket& answer) const;

  BracketProblem& question_;
  const PldEffort& effort_;
  bool few_steps_;
  std::size_t reach_;  // longest grid that is used to reach the wanted error
  std::size_t length_ = 0;
  Bracket best_{0, std::numeric_limits<double>::infinity()};
  double latest_upper_ = std::numeric_limits<double>::infinity();
  double last_width_ = std::numeric_limits<double>::infinity();
  double error_ = std::numeric_limits<double>::infinity();  // of the upper end, extrapolated
  double decided_ = 0;
};

}  // namespace dpvi
