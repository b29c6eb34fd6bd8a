#pragma once

#include <cstdint>
#include <set>
#include <unordered_map>
#include <vector>

#include <dpvi/tape/lane_program.hpp>

namespace dpvi {

// Instructions on one or two entries, of either sweep, with their work laid out in the shortest
// form: one step a lane vector, all operands lane vectors. Neighbouring ones become one
// instruction, a run of steps, whose kernel walks the list; so a step costs little beside its
// arithmetic. Order and arithmetic are those of the instructions.
class ShortSteps {
 public:
  // `read_once`: where products are that one instruction alone reads. One that goes into a sum
  // becomes part of that sum's step.
  explicit ShortSteps(const std::set<std::int32_t>& read_once) : read_once_(read_once) {}

  // Replaces what can be steps by runs.
  std::vector<ForwardInstruction> shortened(const std::vector<ForwardInstruction>& instructions);
  std::vector<PullInstruction> shortened(const std::vector<PullInstruction>& pulls);

  const std::vector<ShortStep>& steps() const { return steps_; }
  // The uniform numbers that steps read, each repeated into one lane vector of StepPlace::repeated.
  const std::vector<std::int32_t>& repeated() const { return repeated_; }

 private:
  bool add(const ForwardInstruction& instruction);
  bool join_product(const ShortStep& step);
  bool add(const PullInstruction& pull);
  StepOperand place(const Operand& operand, std::int32_t entry);
  StepOperand repeated_place(std::int32_t slot);

  template <class Instruction>
  std::vector<Instruction> with_runs(const std::vector<Instruction>& instructions);

  const std::set<std::int32_t>& read_once_;
  std::vector<ShortStep> steps_;
  std::int32_t run_ = 0;  // steps of the run that grows
  std::vector<std::int32_t> repeated_;
  std::unordered_map<std::int32_t, std::int32_t> number_of_repeated_;  // place in repeated_
};

}  // namespace dpvi
