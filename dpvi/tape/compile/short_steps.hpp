#pragma once

#include <cstdint>
#include <set>
#include <unordered_map>
#include <vector>

#include <dpvi/tape/compile/lane_program.hpp>

namespace dpvi {

// Converts instructions on one or two entries, of either sweep, into short steps: one step per lane
// vector, with lane vectors as operands. Neighbouring ones become one instruction, a run of steps,
// whose kernel walks the list. A step then costs little more than its arithmetic. The order and
// arithmetic of the instructions are unchanged.
class ShortSteps {
 public:
  // `read_once` holds the offsets of products that a single instruction reads. If that instruction
  // is a sum, the product is fused into its step.
  explicit ShortSteps(const std::set<std::int32_t>& read_once) : read_once_(read_once) {}

  // Replaces instructions that can be steps by runs of steps.
  std::vector<ForwardInstruction> shortened(const std::vector<ForwardInstruction>& instructions);
  std::vector<AdjointInstruction> shortened(const std::vector<AdjointInstruction>& instructions);

  const std::vector<ShortStep>& steps() const { return steps_; }
  // The slots of the uniform numbers that steps read. Each number is repeated into one lane vector
  // of StepPlace::repeated.
  const std::vector<std::int32_t>& repeated() const { return repeated_; }

 private:
  bool add(const ForwardInstruction& instruction);
  bool join_product(const ShortStep& step);
  bool add(const AdjointInstruction& instruction);
  StepOperand place(const Operand& operand, std::int32_t entry);
  StepOperand repeated_place(std::int32_t slot);

  template <class Instruction>
  std::vector<Instruction> with_runs(const std::vector<Instruction>& instructions);

  const std::set<std::int32_t>& read_once_;
  std::vector<ShortStep> steps_;
  std::int32_t run_ = 0;  // steps in the current run
  std::vector<std::int32_t> repeated_;
  std::unordered_map<std::int32_t, std::int32_t> number_of_repeated_;  // position in repeated_
};

}  // namespace dpvi
