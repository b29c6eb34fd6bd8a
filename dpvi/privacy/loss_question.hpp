#pragma once

#include <cstddef>
#include <limits>
#include <span>

#include <dpvi/privacy/bracket.hpp>
#include <dpvi/privacy/composition_plan.hpp>
#include <dpvi/privacy/event.hpp>
#include <dpvi/privacy/pld.hpp>

namespace dpvi {

// A question about one direction of a run, which a grid of any length answers with some bracket.
class LossQuestion {
 public:
  virtual ~LossQuestion() = default;

  virtual Bracket ask(std::size_t length) = 0;
  // A length at which an answer is likely to be of use.
  virtual double rough_length() const = 0;
  // How far apart two values are, in terms of epsilon; negative if the second is smaller.
  virtual double distance(double from, double to) const = 0;
  // A value lowered by an error in terms of epsilon.
  virtual double lowered(double value, double error) const = 0;
  // The epsilon in question.
  virtual double epsilon(const Bracket& answer) const = 0;
};

// What the last answer tells about the round-off of the next: it may cost a small part of the
// bracket that a longer grid will give, and no more.
struct RoundOffMemory {
  double length = 0;
  double width = 0;      // of the last bracket, in terms of epsilon
  double round_off = 0;  // in it, in terms of epsilon
  bool coarse = false;   // it had no lower end

  double share_at(std::size_t next_length) const;
};

class EpsilonQuestion final : public LossQuestion {
 public:
  EpsilonQuestion(std::span<const GaussianPhase> run, Direction direction, double delta);

  Bracket ask(std::size_t length) override;
  double rough_length() const override { return plan_.rough_length(); }
  double distance(double from, double to) const override { return to - from; }
  double lowered(double value, double error) const override { return value - error; }
  double epsilon(const Bracket& answer) const override { return answer.upper; }

 private:
  CompositionPlan plan_;
  double delta_;
  Bracket believed_;  // where epsilon is looked for
  RoundOffMemory memory_;
};

class DeltaQuestion final : public LossQuestion {
 public:
  DeltaQuestion(std::span<const GaussianPhase> run, Direction direction, double epsilon);

  Bracket ask(std::size_t length) override;
  double rough_length() const override { return plan_.rough_length(); }
  double distance(double from, double to) const override;
  double lowered(double value, double error) const override;
  double epsilon(const Bracket&) const override { return epsilon_; }

 private:
  CompositionPlan plan_;
  double epsilon_;
  RoundOffMemory memory_;
};

// Asks with ever longer grids until the upper end is as close as wanted or the effort ends. All
// brackets hold, so their intersection does.
class Refinement {
 public:
  Refinement(LossQuestion& question, const PldEffort& effort, std::int64_t steps);

  // An answer that turns out to be at most `decided` is not refined further.
  Bracket run(double decided);

  // Whether a bracket misses what the effort asks for.
  bool too_wide(const Bracket& answer) const { return excess_width(answer) > 1; }

 private:
  void refine(std::size_t length);
  std::size_t next_length() const;
  double excess_width(const Bracket& answer) const;

  LossQuestion& question_;
  const PldEffort& effort_;
  bool few_steps_;
  std::size_t reach_;  // how long a grid may be to reach the wanted error
  std::size_t length_ = 0;
  Bracket best_{0, std::numeric_limits<double>::infinity()};
  double latest_upper_ = std::numeric_limits<double>::infinity();
  double last_width_ = std::numeric_limits<double>::infinity();
  double error_ = std::numeric_limits<double>::infinity();  // of the upper end, by extrapolation
  double decided_ = 0;
};

}  // namespace dpvi
