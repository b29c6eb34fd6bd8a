#include <dpvi/tape/compile/short_steps.hpp>

#include <algorithm>
#include <optional>

namespace dpvi {
namespace {

// Longer instructions are worth a kernel of their own.
constexpr std::int32_t kLongestInSteps = 2;

std::optional<StepOp> step_of(Op op) {
  switch (op) {
    case Op::pack:
      return StepOp::copy;
    case Op::neg:
      return StepOp::negate;
    case Op::exp:
      return StepOp::exp;
    case Op::square:
      return StepOp::square;
    case Op::logical_not:
      return StepOp::logical_not;
    case Op::add:
      return StepOp::add;
    case Op::sub:
      return StepOp::sub;
    case Op::mul:
      return StepOp::mul;
    case Op::lt:
      return StepOp::lt;
    case Op::le:
      return StepOp::le;
    case Op::eq:
      return StepOp::eq;
    case Op::ne:
      return StepOp::ne;
    case Op::logical_and:
      return StepOp::logical_and;
    case Op::logical_or:
      return StepOp::logical_or;
    case Op::select:
      return StepOp::select;
    default:
      return std::nullopt;
  }
}

std::optional<StepOp> step_of(AdjointRule kind) {
  switch (kind) {
    case AdjointRule::copy:
      return StepOp::copy;
    case AdjointRule::negate:
      return StepOp::negate;
    case AdjointRule::product:
      return StepOp::product;
    case AdjointRule::scaled:
      return StepOp::scaled;
    case AdjointRule::where:
      return StepOp::where;
    case AdjointRule::where_not:
      return StepOp::where_not;
    default:
      return std::nullopt;
  }
}

int arguments_of(Op op) {
  switch (op_class(op)) {
    case OpClass::select:
      return 3;
    case OpClass::binary:
      return 2;
    default:
      return 1;
  }
}

int factors_of(AdjointRule kind) {
  if (kind == AdjointRule::copy || kind == AdjointRule::negate) return 0;
  return kind == AdjointRule::scaled ? 2 : 1;
}

StepOperand adjoint_place(const AdjointOperand& operand, std::int32_t entry) {
  const bool in_workspace = operand.where == AdjointStore::workspace;
  return {in_workspace ? StepPlace::workspace : StepPlace::gradient,
          operand.offset + entry * operand.stride};
}

}  // namespace

std::vector<ForwardInstruction> ShortSteps::shortened(
    const std::vector<ForwardInstruction>& instructions) {
  return with_runs(instructions);
}

std::vector<AdjointInstruction> ShortSteps::shortened(
    const std::vector<AdjointInstruction>& instructions) {
  return with_runs(instructions);
}

template <class Instruction>
std::vector<Instruction> ShortSteps::with_runs(const std::vector<Instruction>& instructions) {
  std::vector<Instruction> result;
  run_ = 0;
  for (const Instruction& instruction : instructions) {
    const auto first = static_cast<std::int32_t>(steps_.size());
    if (!add(instruction)) {
      result.push_back(instruction);
      run_ = 0;
      continue;
    }
    if (run_ == 0) {
      result.emplace_back();
      result.back().steps.first = first;
    }
    run_ += static_cast<std::int32_t>(steps_.size()) - first;
    result.back().steps.count = run_;
  }
  return result;
}

StepOperand ShortSteps::repeated_place(std::int32_t slot) {
  const auto next = static_cast<std::int32_t>(repeated_.size());
  const auto [found, is_new] = number_of_repeated_.try_emplace(slot, next);
  if (is_new) repeated_.push_back(slot);
  return {StepPlace::repeated, found->second * kLanes};
}

StepOperand ShortSteps::place(const Operand& operand, std::int32_t entry) {
  const std::int32_t at = operand.offset + entry * operand.stride;
  switch (operand.where) {
    case Source::lane:
      return {StepPlace::lane, at};
    case Source::data:
      return {StepPlace::data, at};
    default:
      return repeated_place(at);
  }
}

bool ShortSteps::add(const ForwardInstruction& instruction) {
  const auto op = step_of(instruction.op);
  if (!op || instruction.length > kLongestInSteps) return false;
  for (std::int32_t i = 0; i < instruction.length; ++i) {
    ShortStep step;
    step.op = *op;
    for (int k = 0; k < arguments_of(instruction.op); ++k) {
      step.operands[k] = place(instruction.arguments[k], i);
    }
    step.out = {StepPlace::lane, instruction.out + i * kLanes};
    if (instruction.length > 1 || !join_product(step)) steps_.push_back(step);
  }
  return true;
}

// Fuses a product in the previous step with the sum or difference in this step.
bool ShortSteps::join_product(const ShortStep& step) {
  if ((step.op != StepOp::add && step.op != StepOp::sub) || run_ == 0) return false;
  ShortStep& product = steps_.back();
  if (product.op != StepOp::mul || !read_once_.contains(product.out.offset)) return false;
  const bool first = step.operands[0] == product.out;
  if (!first && step.operands[1] != product.out) return false;
  if (step.op == StepOp::add) {
    product.op = StepOp::mul_add;
  } else {
    product.op = first ? StepOp::mul_sub : StepOp::sub_mul;
  }
  product.operands[2] = step.operands[first ? 1 : 0];
  product.out = step.out;
  return true;
}

bool ShortSteps::add(const AdjointInstruction& instruction) {
  const auto op = step_of(instruction.kind);
  if (!op || instruction.length > kLongestInSteps) return false;
  for (std::int32_t i = 0; i < instruction.length; ++i) {
    ShortStep step;
    step.op = *op;
    step.operands[0] = adjoint_place(instruction.adjoint, i);
    for (int k = 0; k < factors_of(instruction.kind); ++k) {
      step.operands[k + 1] = place(instruction.factors[k], i);
    }
    step.out = adjoint_place(instruction.target, i);
    // A scalar that was repeated accumulates the contributions of its entries.
    step.accumulate = instruction.accumulate || (i > 0 && instruction.target.stride == 0);
    steps_.push_back(step);
  }
  return true;
}

}  // namespace dpvi
